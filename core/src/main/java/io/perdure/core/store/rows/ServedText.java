package io.perdure.core.store.rows;

import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Claim.Served;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What a worker serves, as text: {@code [{"workflow":"order","versions":[1,2]}]}. */
public final class ServedText {
    private ServedText() {}

    public static String of(List<Served> served) {
        return served.stream().map(ServedText::text).collect(Collectors.joining(",", "[", "]"));
    }

    private static String text(Served one) {
        String versions = one.versions().stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
        return JsonObject.builder()
                .put("workflow", one.workflow().value())
                .put("versions", Json.ofStored(versions))
                .build()
                .text();
    }

    public static List<Served> read(String text) {
        JsonNode served = Objects.requireNonNull(
                Codec.standard().read(Json.ofStored(text), JsonNode.class, "What a worker serves"));
        return served.valueStream().map(ServedText::served).toList();
    }

    private static Served served(JsonNode one) {
        return new Served(
                new WorkflowName(one.required("workflow").stringValue()),
                one.required("versions").valueStream().map(JsonNode::intValue).collect(Collectors.toSet()));
    }
}
