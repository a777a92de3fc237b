package io.perdure.sdk.wire;

import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Claim;
import java.util.List;

/**
 * A worker that says that it is alive.
 *
 * @param name what people know it by
 * @param served what it has code for
 * @param concurrency how many runs it works on at once
 */
public record Presence(ProcessId worker, String name, List<Claim.Served> served, int concurrency) {
    public Presence {
        served = List.copyOf(served);
    }

    public Json json() {
        return JsonObject.builder()
                .put("worker", worker.toString())
                .put("name", name)
                .put("served", ClaimJson.writeServed(served))
                .put("concurrency", concurrency)
                .build();
    }

    public static Presence read(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Presence(
                ProcessId.parse(object.string("worker")),
                object.string("name"),
                ClaimJson.served(object),
                Fields.count(object, "concurrency"));
    }
}
