package io.perdure.sdk.wire;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Claim;
import java.time.Duration;
import java.util.List;

/**
 * Asks for hints.
 *
 * @param served what the worker has code for
 * @param atMost how long the server may wait for there to be some
 */
public record Poll(List<Claim.Served> served, Duration atMost) {
    public Poll {
        served = List.copyOf(served);
    }

    public Json json() {
        return JsonObject.builder()
                .put("served", ClaimJson.writeServed(served))
                .put("wait", atMost.toString())
                .build();
    }

    public static Poll read(Json json) {
        return new Poll(ClaimJson.served(JsonObject.parse(json)), ClaimJson.wait(json));
    }
}
