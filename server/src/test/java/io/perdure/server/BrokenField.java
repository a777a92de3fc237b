package io.perdure.server;

import io.perdure.server.Document.Described;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A body of a request that breaks what the document says of one of its fields.
 *
 * @param property the field; null where it is the body itself
 * @param keyword what is broken: a bound, a list of words, a type, or that it has to be there
 */
record BrokenField(Described operation, @Nullable String property, String keyword, String body) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String ID = "0199d0a0-8000-7000-8000-000000000002";
    private static final String NO_ID = "no-id";

    /** What a message is settled by, of which a request has one; that of the example is another. */
    private static final Set<String> ALONE = Set.of("extend", "reject", "release");

    /** All that can be broken, in every operation but those of workers. */
    static Stream<BrokenField> all() {
        return Document.restOperations().stream().filter(Described::hasBody).flatMap(BrokenField::of);
    }

    /** All that can be broken in the operations of workers. */
    static Stream<BrokenField> ofWorkers() {
        return Document.workerOperations().stream().filter(Described::hasBody).flatMap(BrokenField::of);
    }

    private static Stream<BrokenField> of(Described operation) {
        List<BrokenField> broken = new ArrayList<>();
        JsonNode schema = Document.resolved(operation.bodySchema());
        Stream.concat(Stream.of(schema), Document.elements(schema.path("oneOf")).stream())
                .map(Document::resolved)
                .forEach(one -> {
                    if (one.path("type").asString("").equals("array")) {
                        wrongSizes(one, first(operation))
                                .forEach(wrong -> broken.add(new BrokenField(
                                        operation,
                                        null,
                                        wrong.keyword(),
                                        wrong.value().toString())));
                    }
                    one.path("properties")
                            .properties()
                            .forEach(field -> wrongValues(
                                            field.getValue(), first(operation).path(field.getKey()))
                                    .forEach(wrong -> broken.add(changed(
                                            operation,
                                            field.getKey(),
                                            wrong.keyword(),
                                            body -> body.set(field.getKey(), wrong.value())))));
                    Document.elements(one.path("required")).stream()
                            .map(JsonNode::asString)
                            .forEach(name ->
                                    broken.add(changed(operation, name, "required", body -> body.remove(name))));
                });
        return broken.stream();
    }

    private static BrokenField changed(
            Described operation, String property, String keyword, Consumer<ObjectNode> change) {
        ObjectNode body = (ObjectNode) first(operation);
        if (ALONE.contains(property)) {
            body.removeAll();
        }
        change.accept(body);
        return new BrokenField(operation, property, keyword, body.toString());
    }

    /** The status that the document has for it. */
    int status() {
        return keyword.equals("format") && body.contains(NO_ID) ? 400 : 422;
    }

    /** The example of the operation, of several the first. */
    private static JsonNode first(Described operation) {
        JsonNode example = JsonMapper.shared().readTree(operation.example());
        return example.isArray() ? example.get(0) : example;
    }

    /** A value that is not as a schema has it, and by which keyword. */
    private record Wrong(String keyword, JsonNode value) {}

    private static List<Wrong> wrongValues(JsonNode given, JsonNode example) {
        JsonNode schema = Document.resolved(given);
        List<Wrong> wrong = new ArrayList<>(wrongTypes(schema));
        if (schema.has("minimum")) {
            BigDecimal below = schema.path("minimum").decimalValue().subtract(BigDecimal.ONE);
            wrong.add(new Wrong("minimum", NODES.numberNode(below)));
        }
        if (schema.has("maximum")) {
            BigDecimal above = schema.path("maximum").decimalValue().add(BigDecimal.ONE);
            wrong.add(new Wrong("maximum", NODES.numberNode(above)));
        }
        if (schema.has("exclusiveMinimum")) {
            wrong.add(new Wrong("exclusiveMinimum", schema.path("exclusiveMinimum")));
        }
        if (schema.has("enum")) {
            wrong.add(new Wrong("enum", NODES.stringNode("none-of-these")));
        }
        if (schema.has("format")) {
            wrong.add(new Wrong(
                    "format", NODES.stringNode(schema.path("format").asString().equals("uuid") ? NO_ID : "some time")));
        }
        if (schema.has("const")) {
            wrong.add(new Wrong("const", NODES.booleanNode(!schema.path("const").asBoolean())));
        }
        // The lists that examples lack are of ids.
        wrong.addAll(wrongSizes(schema, example.isArray() ? example.get(0) : NODES.stringNode(ID)));
        return wrong;
    }

    private static List<Wrong> wrongSizes(JsonNode schema, JsonNode element) {
        List<Wrong> wrong = new ArrayList<>();
        if (schema.has("maxItems")) {
            ArrayNode tooMany = NODES.arrayNode();
            for (int i = 0; i <= schema.path("maxItems").asInt(); i++) {
                tooMany.add(element);
            }
            wrong.add(new Wrong("maxItems", tooMany));
        }
        if (schema.path("minItems").asInt(0) > 0) {
            wrong.add(new Wrong("minItems", NODES.arrayNode()));
        }
        return wrong;
    }

    /** Of each other type that JSON has, a value that would do if it were of the right one. */
    private static List<Wrong> wrongTypes(JsonNode schema) {
        String type = schema.path("type").asString("");
        return Stream.of(
                        new Wrong("string", NODES.stringNode("1")),
                        new Wrong("integer", NODES.numberNode(1)),
                        new Wrong("number", NODES.numberNode(new BigDecimal("1.5"))),
                        new Wrong("boolean", NODES.booleanNode(true)),
                        new Wrong("array", NODES.arrayNode()),
                        new Wrong("object", NODES.objectNode()))
                .filter(value -> !type.isEmpty() && !value.keyword().equals(type))
                // What is whole is a number as well.
                .filter(value -> !(type.equals("number") && value.keyword().equals("integer")))
                .map(value -> new Wrong("type, by " + value.keyword(), value.value()))
                .toList();
    }

    @Override
    public String toString() {
        return operation.id() + " " + (property == null ? "" : property + " ") + keyword;
    }
}
