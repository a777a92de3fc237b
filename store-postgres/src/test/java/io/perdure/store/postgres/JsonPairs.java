package io.perdure.store.postgres;

import io.perdure.store.postgres.JsonTree.Items;
import io.perdure.store.postgres.JsonTree.Leaf;
import io.perdure.store.postgres.JsonTree.Members;
import io.perdure.store.postgres.JsonTree.Numeral;
import io.perdure.store.postgres.JsonTree.Text;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Two JSON values at a time, of which the first often contains the second, and as often only nearly does. Names and scalars come
 * from small pools, so that they meet; everything is within what jsonb can hold.
 */
final class JsonPairs {
    private static final List<String> NAMES = List.of("a", "b", "c", "A", "", "é", "😀", "a\"b");
    private static final List<String> TEXTS =
            List.of("", "a", "A", "b", "1", "null", "true", "é", "e\u0301", "😀", "\"\\/", "\n", "[]");
    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "-1",
            "10",
            "100",
            "1.5",
            "0.1",
            "15",
            "-0.001",
            "9007199254740992",
            "9007199254740993",
            "12345678901234567890.0987654321",
            "1e300",
            "1e301",
            "1e-300");
    private static final List<String> WORDS = List.of("null", "true", "false");

    private final SplittableRandom random;
    private final JsonSpelling spelling;

    JsonPairs(long seed) {
        random = new SplittableRandom(seed);
        spelling = new JsonSpelling(random.split());
    }

    /** As text. */
    record Pair(String whole, String part) {}

    Pair next() {
        JsonTree whole = tree(random.nextInt(5));
        JsonTree part = switch (random.nextInt(10)) {
            case 0 -> tree(random.nextInt(3));
            case 1 -> inner(whole);
            case 2, 3, 4 -> mutated(part(whole));
            default -> part(whole);
        };
        return random.nextInt(20) == 0 ? text(part, whole) : text(whole, part);
    }

    private Pair text(JsonTree whole, JsonTree part) {
        return new Pair(spelling.of(whole), spelling.of(part));
    }

    private JsonTree tree(int depth) {
        if (depth == 0 || random.nextInt(8) == 0) {
            return leaf();
        }
        int size = random.nextInt(5);
        if (random.nextBoolean()) {
            Map<String, JsonTree> members = new LinkedHashMap<>();
            for (int at = 0; at < size; at++) {
                members.put(pick(NAMES), tree(random.nextInt(depth)));
            }
            return new Members(members);
        }
        List<JsonTree> items = new ArrayList<>();
        for (int at = 0; at < size; at++) {
            items.add(tree(random.nextInt(depth)));
        }
        return new Items(items);
    }

    private JsonTree leaf() {
        return switch (random.nextInt(4)) {
            case 0 -> new Leaf(pick(WORDS));
            case 1 -> new Text(pick(TEXTS));
            default -> new Numeral(new BigDecimal(pick(NUMBERS)));
        };
    }

    /** What the tree contains, by the rules: fewer members, fewer items, these in another order and some of them twice. */
    private JsonTree part(JsonTree tree) {
        return switch (tree) {
            case Members members -> {
                Map<String, JsonTree> kept = new LinkedHashMap<>();
                members.byName().forEach((name, value) -> {
                    if (random.nextInt(3) > 0) {
                        kept.put(name, part(value));
                    }
                });
                yield new Members(kept);
            }
            case Items items -> {
                List<JsonTree> kept = new ArrayList<>();
                for (JsonTree item : items.inOrder()) {
                    for (int times = random.nextInt(3); times > 0; times--) {
                        kept.add(random.nextInt(kept.size() + 1), part(item));
                    }
                }
                yield new Items(kept);
            }
            case Leaf _, Text _, Numeral _ -> tree;
        };
    }

    /** Something inside the tree, without what is around it: only at the top, and only of a scalar in an array, is it contained. */
    private JsonTree inner(JsonTree tree) {
        List<JsonTree> inside = tree.inside();
        if (inside.isEmpty()) {
            return tree;
        }
        JsonTree chosen = pick(inside);
        return random.nextInt(3) == 0 ? inner(chosen) : chosen;
    }

    /** The tree with one change somewhere. */
    private JsonTree mutated(JsonTree tree) {
        if (tree.inside().isEmpty() || random.nextInt(3) == 0) {
            return changed(tree);
        }
        return switch (tree) {
            case Members members -> {
                Map<String, JsonTree> copy = new LinkedHashMap<>(members.byName());
                copy.computeIfPresent(pick(List.copyOf(copy.keySet())), (_, value) -> mutated(value));
                yield new Members(copy);
            }
            case Items items -> {
                List<JsonTree> copy = new ArrayList<>(items.inOrder());
                int place = random.nextInt(copy.size());
                copy.set(place, mutated(copy.get(place)));
                yield new Items(copy);
            }
            case Leaf _, Text _, Numeral _ -> changed(tree);
        };
    }

    private JsonTree changed(JsonTree tree) {
        return switch (random.nextInt(5)) {
            case 0 -> new Items(List.of(tree));
            case 1 -> tree(random.nextInt(2));
            case 2 -> inner(tree);
            default ->
                switch (tree) {
                    case Members members -> {
                        Map<String, JsonTree> more = new LinkedHashMap<>(members.byName());
                        more.put(pick(NAMES), leaf());
                        yield new Members(more);
                    }
                    case Items items -> {
                        List<JsonTree> more = new ArrayList<>(items.inOrder());
                        more.add(random.nextInt(more.size() + 1), tree(random.nextInt(2)));
                        yield new Items(more);
                    }
                    case Leaf _, Text _, Numeral _ -> leaf();
                };
        };
    }

    private <T> T pick(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }
}
