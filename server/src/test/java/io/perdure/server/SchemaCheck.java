package io.perdure.server;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Holds values against those parts of JSON Schema that the document uses; a keyword that is none of them is an error. */
final class SchemaCheck {
    private static final Set<String> KNOWN = Set.of(
            "$ref",
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "maxItems",
            "enum",
            "const",
            "oneOf",
            "format",
            "pattern",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "default",
            "title",
            "description");

    private final List<String> wrong = new ArrayList<>();

    private SchemaCheck() {}

    /** What is wrong with a value; nothing where it fits. */
    static List<String> faults(JsonNode schema, JsonNode value) {
        SchemaCheck check = new SchemaCheck();
        check.check("$", schema, value);
        return check.wrong;
    }

    private void check(String at, JsonNode given, JsonNode value) {
        JsonNode schema = Document.resolved(given);
        schema.propertyNames().stream()
                .filter(keyword -> !KNOWN.contains(keyword))
                .forEach(keyword -> wrong.add(at + ": the schema has the unknown keyword " + keyword));
        if (schema.has("oneOf")) {
            long fitting = Document.elements(schema.path("oneOf")).stream()
                    .filter(one -> faults(one, value).isEmpty())
                    .count();
            require(fitting == 1, at, "fits " + fitting + " of the schemas instead of one");
        }
        if (schema.has("type")) {
            require(isOf(schema.path("type").asString(), value), at, "is no " + schema.path("type"));
        }
        if (schema.has("enum")) {
            require(Document.elements(schema.path("enum")).contains(value), at, value + " is none of the enum");
        }
        if (schema.has("const")) {
            require(schema.path("const").equals(value), at, "is not " + schema.path("const"));
        }
        if (value.isString()) {
            checkText(at, schema, value.asString());
        } else if (value.isNumber()) {
            checkNumber(at, schema, value.decimalValue());
        } else if (value.isArray()) {
            checkArray(at, schema, value);
        } else if (value.isObject()) {
            checkObject(at, schema, value);
        }
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "null" -> value.isNull();
            default -> throw new IllegalArgumentException("The document uses the type " + type);
        };
    }

    private void checkText(String at, JsonNode schema, String text) {
        if (schema.has("pattern")) {
            require(
                    Pattern.compile(schema.path("pattern").asString())
                            .matcher(text)
                            .find(),
                    at,
                    text + " does not match");
        }
        switch (schema.path("format").asString("")) {
            case "" -> {}
            case "uuid" -> require(parses(text, UUID::fromString), at, text + " is no UUID");
            case "date-time" -> require(parses(text, Instant::parse), at, text + " is no time");
            default -> wrong.add(at + ": the schema has an unknown format");
        }
    }

    private static boolean parses(String text, Function<String, ?> parse) {
        try {
            return parse.apply(text) != null;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void checkNumber(String at, JsonNode schema, BigDecimal number) {
        bound(at, schema, "minimum", least -> number.compareTo(least) >= 0);
        bound(at, schema, "maximum", most -> number.compareTo(most) <= 0);
        bound(at, schema, "exclusiveMinimum", least -> number.compareTo(least) > 0);
    }

    private void bound(String at, JsonNode schema, String keyword, Predicate<BigDecimal> holds) {
        if (schema.has(keyword)) {
            require(holds.test(schema.path(keyword).decimalValue()), at, "is not within its " + keyword);
        }
    }

    private void checkArray(String at, JsonNode schema, JsonNode array) {
        if (schema.has("items")) {
            for (int i = 0; i < array.size(); i++) {
                check(at + "[" + i + "]", schema.path("items"), array.get(i));
            }
        }
        require(array.size() >= schema.path("minItems").asInt(0), at, "has too few elements");
        require(array.size() <= schema.path("maxItems").asInt(Integer.MAX_VALUE), at, "has too many elements");
    }

    private void checkObject(String at, JsonNode schema, JsonNode object) {
        Document.elements(schema.path("required"))
                .forEach(name -> require(object.has(name.asString()), at, "lacks " + name));
        JsonNode others = schema.path("additionalProperties");
        object.properties().forEach(member -> {
            JsonNode own = schema.path("properties").path(member.getKey());
            String inside = at + "." + member.getKey();
            if (!own.isMissingNode()) {
                check(inside, own, member.getValue());
            } else if (others.isObject()) {
                check(inside, others, member.getValue());
            } else {
                require(others.asBoolean(true), inside, "is not in the schema");
            }
        });
    }

    private void require(boolean holds, String at, String what) {
        if (!holds) {
            wrong.add(at + " " + what);
        }
    }
}
