package io.perdure.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document, as tests go through it. */
public final class Document {
    private static final JsonNode ROOT = read();
    private static final Map<String, List<Described>> BY_PATH =
            operations().stream().collect(Collectors.groupingBy(Described::path));

    private Document() {}

    private static JsonNode read() {
        try (InputStream in = PerdureServer.class.getResourceAsStream("openapi.json")) {
            return JsonMapper.shared()
                    .readTree(Objects.requireNonNull(in, "openapi.json").readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One operation of the document. */
    public record Described(String method, String path, JsonNode node) {
        public String id() {
            return node.path("operationId").asString();
        }

        public Optional<String> role() {
            return node.path("x-role").asStringOpt();
        }

        public boolean hasBody() {
            return node.has("requestBody");
        }

        /** The example of its body. */
        public String example() {
            return node.at("/requestBody/content/application~1json/example").toString();
        }

        /** Its parameters of this kind: path, query or header. */
        public List<JsonNode> parameters(String in) {
            return elements(node.path("parameters")).stream()
                    .map(Document::resolved)
                    .filter(parameter -> parameter.path("in").asString().equals(in))
                    .toList();
        }

        /** The codes that it documents for an error of this status. */
        public List<String> codes(int status) {
            return elements(response(status).path("x-codes")).stream()
                    .map(JsonNode::asString)
                    .toList();
        }

        /** Whether it belongs to the protocol of workers. */
        public boolean isOfWorkers() {
            return path.startsWith("/v1/worker") && !path.startsWith("/v1/workers");
        }

        /** The schema of its body. */
        public JsonNode bodySchema() {
            return node.at("/requestBody/content/application~1json/schema");
        }

        /** Whether an answer of this status has a body. */
        public boolean hasContent(int status) {
            return response(status).has("content");
        }

        private JsonNode response(int status) {
            return resolved(node.path("responses").path(Integer.toString(status)));
        }

        public boolean documents(int status) {
            return node.path("responses").has(Integer.toString(status));
        }

        /** The schema of an answer of this status, in this media type. */
        public Optional<JsonNode> schema(int status, String mediaType) {
            JsonNode content = response(status).path("content");
            return Optional.of(content.path(mediaType).path("schema")).filter(schema -> !schema.isMissingNode());
        }
    }

    public static List<Described> operations() {
        List<Described> all = new ArrayList<>();
        ROOT.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> all.add(new Described(
                                method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()))));
        return all;
    }

    /** The operation of this id. */
    public static Described operation(String id) {
        return operations().stream()
                .filter(operation -> operation.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** The operations of all but the protocol of workers. */
    public static List<Described> restOperations() {
        return operations().stream().filter(one -> !one.isOfWorkers()).toList();
    }

    /** The operations of the protocol of workers. */
    public static List<Described> workerOperations() {
        return operations().stream().filter(Described::isOfWorkers).toList();
    }

    /** The operations at the path of a request. If several templates match, it is that with the fewest variable parts. */
    public static List<Described> at(String path) {
        return BY_PATH.entrySet().stream()
                .filter(one -> matches(one.getKey(), path))
                .min(Comparator.comparingLong(one ->
                        one.getKey().chars().filter(letter -> letter == '{').count()))
                .map(Map.Entry::getValue)
                .orElse(List.of());
    }

    private static boolean matches(String template, String path) {
        String[] wanted = template.split("/", -1);
        String[] given = path.split("/", -1);
        boolean matches = wanted.length == given.length;
        for (int i = 0; matches && i < wanted.length; i++) {
            matches = wanted[i].equals(given[i]) || (wanted[i].startsWith("{") && !given[i].isEmpty());
        }
        return matches;
    }

    /** The whole document. */
    public static JsonNode root() {
        return ROOT;
    }

    public static JsonNode schema(String name) {
        return ROOT.path("components").path("schemas").path(name);
    }

    /** What a reference leads to; anything else as it is. */
    public static JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? ROOT.at(node.path("$ref").asString().substring(1)) : node;
    }

    static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }
}
