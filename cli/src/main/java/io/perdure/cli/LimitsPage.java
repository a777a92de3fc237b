package io.perdure.cli;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What each limit bounds, as the tables of {@code docs/reference/limits.md} say.
 *
 * @param descriptions by the limit's name
 */
record LimitsPage(Map<String, String> descriptions) {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|[^|]*\\|([^|]*)\\|$");

    LimitsPage {
        descriptions = Map.copyOf(descriptions);
    }

    /** The page that the build put into the jar. */
    static LimitsPage packed() {
        return parse(PackedText.of("limits.md"));
    }

    static LimitsPage parse(String markdown) {
        return new LimitsPage(ROW.matcher(markdown)
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> row.group(2).replace("`", "").strip())));
    }

    /** Empty where the page has no row for the limit. */
    String descriptionOf(String limit) {
        return descriptions.getOrDefault(limit, "");
    }
}
