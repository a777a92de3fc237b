package io.perdure.server;

import io.perdure.server.Document.Described;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A field of a request's body with a value that breaks what the document says of it.
 *
 * @param keyword what is broken: a bound, or a list of words
 */
record BrokenField(Described operation, String property, String keyword, JsonNode value) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** All that can be broken, in every operation. */
    static Stream<BrokenField> all() {
        return Document.operations().stream().filter(Described::hasBody).flatMap(BrokenField::of);
    }

    private static Stream<BrokenField> of(Described operation) {
        JsonNode schema = Document.resolved(operation.node().at("/requestBody/content/application~1json/schema"));
        return Stream.concat(Stream.of(schema), Document.elements(schema.path("oneOf")).stream())
                .map(Document::resolved)
                .flatMap(one -> one.path("properties").properties().stream())
                .flatMap(field -> of(operation, field));
    }

    private static Stream<BrokenField> of(Described operation, Map.Entry<String, JsonNode> field) {
        JsonNode schema = Document.resolved(field.getValue());
        List<BrokenField> broken = new ArrayList<>();
        if (schema.has("minimum")) {
            BigDecimal below = schema.path("minimum").decimalValue().subtract(BigDecimal.ONE);
            broken.add(new BrokenField(operation, field.getKey(), "minimum", NODES.numberNode(below)));
        }
        if (schema.has("exclusiveMinimum")) {
            broken.add(new BrokenField(operation, field.getKey(), "exclusiveMinimum", schema.path("exclusiveMinimum")));
        }
        if (schema.has("enum")) {
            broken.add(new BrokenField(operation, field.getKey(), "enum", NODES.stringNode("none-of-these")));
        }
        return broken.stream();
    }

    /** The example of the operation, of several the first, with this field broken. */
    String body() {
        JsonNode example = JsonMapper.shared().readTree(operation.example());
        ObjectNode body = (ObjectNode) (example.isArray() ? example.get(0) : example);
        return body.set(property, value).toString();
    }

    @Override
    public String toString() {
        return operation.id() + " " + property + " " + keyword;
    }
}
