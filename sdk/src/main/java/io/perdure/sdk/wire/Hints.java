package io.perdure.sdk.wire;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import java.util.List;

/**
 * What may have happened that concerns a worker; can be wrong.
 *
 * @param due whether a run that it serves may have become due
 * @param ended runs that it works on and that may have ended, or been parked
 */
public record Hints(boolean due, List<RunId> ended) {
    public Hints {
        ended = List.copyOf(ended);
    }

    public Json json() {
        return JsonObject.builder()
                .put("due", due)
                .put(
                        "ended",
                        JsonArray.of(ended.stream()
                                .map(run -> Json.string(run.toString()))
                                .toList()))
                .build();
    }

    public static Hints read(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Hints(Fields.flag(object, "due"), Fields.list(object, "ended", run -> RunId.parse(run.content())));
    }
}
