package io.perdure.store.postgres;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Spells a value in one of the many ways that mean the same: order of members, spaces, escapes, zeros, exponents. */
final class JsonSpelling {
    private static final List<String> SPACES = List.of("", "", "", " ", "\n", "  ");

    private final SplittableRandom random;

    JsonSpelling(SplittableRandom random) {
        this.random = random;
    }

    String of(JsonTree tree) {
        String text = switch (tree) {
            case JsonTree.Members members -> "{" + members(members) + space() + "}";
            case JsonTree.Items items ->
                items.inOrder().stream().map(this::of).collect(Collectors.joining(",", "[", space() + "]"));
            case JsonTree.Text string -> quoted(string.content());
            case JsonTree.Numeral number -> number(number.value());
            case JsonTree.Leaf leaf -> leaf.word();
        };
        return space() + text + space();
    }

    private String members(JsonTree.Members members) {
        List<String> spelled = new ArrayList<>();
        members.byName()
                .forEach((name, value) -> spelled.add(
                        random.nextInt(spelled.size() + 1), space() + quoted(name) + space() + ":" + of(value)));
        return String.join(",", spelled);
    }

    private String space() {
        return SPACES.get(random.nextInt(SPACES.size()));
    }

    private String quoted(String content) {
        return content.chars().mapToObj(c -> character((char) c)).collect(Collectors.joining("", "\"", "\""));
    }

    private String character(char c) {
        boolean plain = c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c);
        return plain && random.nextInt(4) > 0
                ? String.valueOf(c)
                : "\\u" + HexFormat.of().toHexDigits(c);
    }

    private String number(BigDecimal value) {
        String sign = value.signum() == 0 && random.nextBoolean() ? "-" : "";
        return sign
                + switch (random.nextInt(5)) {
                    case 0 -> value.toPlainString();
                    case 1 ->
                        value.setScale(Math.max(value.scale(), 0) + random.nextInt(3))
                                .toPlainString();
                    case 2 -> shifted(value, random.nextInt(-5, 6));
                    case 3 -> value.stripTrailingZeros().toString();
                    default -> value.toString();
                };
    }

    private String shifted(BigDecimal value, int places) {
        String exponent = places < 0 || random.nextBoolean() ? Integer.toString(places) : "+" + places;
        return value.movePointLeft(places).toPlainString() + (random.nextBoolean() ? "e" : "E") + exponent;
    }
}
