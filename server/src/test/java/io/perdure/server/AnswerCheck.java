package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.wire.RestHeaders;
import io.perdure.server.Document.Described;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks what a server answered against the OpenAPI document: the status, the media type, the error code and the body. */
public final class AnswerCheck {
    /** Values of users may have any number that JSON can have. */
    private static final JsonMapper EXACT = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final String PROBLEM = "application/problem+json";
    private static final int FIRST_ERROR = 400;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int NO_CONTENT = 204;

    /** A target whose operation is known without decoding it. Of any other, only errors are checked. */
    private static final Pattern PLAIN = Pattern.compile("/[A-Za-z0-9_.~/-]*([?].*)?", Pattern.DOTALL);

    private AnswerCheck() {}

    /**
     * An answer and what it answers.
     *
     * @param target the path and query of the request
     * @param mediaType of the answer, without parameters; {@code none} if it has none
     */
    public record Seen(String method, String target, int status, String mediaType, String body) {}

    /** Throws unless the answer is as the document says. */
    public static void require(Seen seen) {
        assertThat(faults(seen)).as("%s", seen).isEmpty();
    }

    /** What differs from the document; empty if the answer is as described. */
    public static List<String> faults(Seen seen) {
        List<Described> there = PLAIN.matcher(seen.target()).matches() ? Document.at(path(seen.target())) : List.of();
        Optional<Described> operation = there.stream()
                .filter(one -> one.method().equals(seen.method())
                        // The routes of workers take GET only.
                        || (seen.method().equals("HEAD") && one.method().equals("GET") && !one.isOfWorkers()))
                .findFirst();
        if (operation.isPresent()) {
            return ofOperation(operation.get(), seen);
        }
        if (seen.method().equals("OPTIONS") && !there.isEmpty() && seen.status() == NO_CONTENT) {
            return List.of();
        }
        if (seen.status() < FIRST_ERROR) {
            return PLAIN.matcher(seen.target()).matches() ? List.of("is answered, and not documented") : List.of();
        }
        List<String> faults = new ArrayList<>(ofProblem(Document.schema("Problem"), seen));
        if (seen.status() == METHOD_NOT_ALLOWED
                && there.isEmpty()
                && PLAIN.matcher(seen.target()).matches()) {
            faults.add("is 405 at a path that is not documented");
        }
        return faults;
    }

    /** What in the body of a request differs from the document; empty for an operation that is not documented. */
    public static List<String> requestFaults(String method, String target, String body) {
        return Document.at(path(target)).stream()
                .filter(one -> one.method().equals(method) && !body.isEmpty())
                .flatMap(one -> one.hasBody()
                        ? faults(one.bodySchema(), body).stream()
                        : List.of("has a body, and none is documented").stream())
                .toList();
    }

    private static String path(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    private static List<String> ofOperation(Described operation, Seen seen) {
        if (!operation.documents(seen.status())) {
            return List.of("the status " + seen.status() + " is not documented");
        }
        if (seen.method().equals("HEAD")) {
            return List.of();
        }
        if (!operation.hasContent(seen.status())) {
            return seen.body().isEmpty() ? List.of() : List.of("has a body, and none is documented");
        }
        Optional<JsonNode> schema = operation.schema(seen.status(), seen.mediaType());
        if (schema.isEmpty()) {
            return List.of("the media type " + seen.mediaType() + " is not documented");
        }
        return switch (seen.mediaType()) {
            case "application/json" -> faults(schema.get(), seen.body());
            case RestHeaders.LINES ->
                seen.body()
                        .lines()
                        .flatMap(line -> faults(schema.get(), line).stream())
                        .toList();
            case PROBLEM -> {
                List<String> faults = new ArrayList<>(ofProblem(schema.get(), seen));
                if (faults.isEmpty()) {
                    String code = EXACT.readTree(seen.body()).path("code").asString();
                    if (!operation.codes(seen.status()).contains(code)) {
                        faults.add("the code " + code + " is not documented for " + seen.status());
                    }
                }
                yield faults;
            }
            default -> List.of();
        };
    }

    private static List<String> ofProblem(JsonNode schema, Seen seen) {
        if (seen.method().equals("HEAD")) {
            return List.of();
        }
        if (!seen.mediaType().equals(PROBLEM)) {
            return List.of("is no problem document, but " + seen.mediaType());
        }
        List<String> faults = new ArrayList<>(faults(schema, seen.body()));
        if (faults.isEmpty() && EXACT.readTree(seen.body()).path("status").asInt() != seen.status()) {
            faults.add("names another status in its body");
        }
        return faults;
    }

    private static List<String> faults(JsonNode schema, String json) {
        try {
            return SchemaCheck.faults(schema, EXACT.readTree(json));
        } catch (JacksonException e) {
            return List.of("is not JSON: " + e.getMessage());
        }
    }
}
