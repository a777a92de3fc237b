package io.perdure.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document, as tests go through it. */
public final class Document {
    private static final JsonNode ROOT = read();

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
            return elements(resolved(node.path("responses").path(Integer.toString(status)))
                            .path("x-codes"))
                    .stream()
                    .map(JsonNode::asString)
                    .toList();
        }

        public boolean documents(int status) {
            return node.path("responses").has(Integer.toString(status));
        }

        /** The schema of an answer of this status, in this media type. */
        public Optional<JsonNode> schema(int status, String mediaType) {
            JsonNode content = resolved(node.path("responses").path(Integer.toString(status)))
                    .path("content");
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
