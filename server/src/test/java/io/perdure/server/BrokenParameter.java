package io.perdure.server;

import io.perdure.server.Document.Described;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A parameter of a query with a value that breaks what the document says of it.
 *
 * @param keyword what is broken: a bound, a list of words, or a type
 */
record BrokenParameter(Described operation, String name, String keyword, String value) {
    /** All that can be broken, in every operation. */
    static Stream<BrokenParameter> all() {
        return Document.operations().stream()
                .flatMap(operation -> operation.parameters("query").stream().flatMap(one -> of(operation, one)));
    }

    private static Stream<BrokenParameter> of(Described operation, JsonNode parameter) {
        String name = parameter.path("name").asString();
        JsonNode schema = Document.resolved(parameter.path("schema"));
        List<BrokenParameter> broken = new ArrayList<>();
        if (schema.has("minimum")) {
            BigDecimal below = schema.path("minimum").decimalValue().subtract(BigDecimal.ONE);
            broken.add(new BrokenParameter(operation, name, "minimum", below.toPlainString()));
        }
        if (schema.has("maximum")) {
            BigDecimal above = schema.path("maximum").decimalValue().add(BigDecimal.ONE);
            broken.add(new BrokenParameter(operation, name, "maximum", above.toPlainString()));
        }
        if (schema.has("enum")) {
            broken.add(new BrokenParameter(operation, name, "enum", "none-of-these"));
        }
        switch (schema.path("type").asString("")) {
            case "integer" -> {
                broken.add(new BrokenParameter(operation, name, "type, by number", "1.5"));
                broken.add(new BrokenParameter(operation, name, "type, by text", "one"));
            }
            case "number", "boolean" -> broken.add(new BrokenParameter(operation, name, "type, by text", "one"));
            default -> {
                // Any text is one of text.
            }
        }
        return broken.stream();
    }

    @Override
    public String toString() {
        return operation.id() + " " + name + " " + keyword;
    }
}
