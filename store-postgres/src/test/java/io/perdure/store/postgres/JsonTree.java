package io.perdure.store.postgres;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** A JSON value, before anybody decided how to spell it. */
sealed interface JsonTree {
    /** An object. */
    record Members(Map<String, JsonTree> byName) implements JsonTree {}

    /** An array. */
    record Items(List<JsonTree> inOrder) implements JsonTree {}

    /** A string. */
    record Text(String content) implements JsonTree {}

    /** A number. */
    record Numeral(BigDecimal value) implements JsonTree {}

    /** A word of JSON itself: {@code null}, {@code true} or {@code false}. */
    record Leaf(String word) implements JsonTree {}

    /** What is in it, one level down. */
    default List<JsonTree> inside() {
        return switch (this) {
            case Members members -> List.copyOf(members.byName().values());
            case Items items -> items.inOrder();
            case Text _, Numeral _, Leaf _ -> List.of();
        };
    }
}
