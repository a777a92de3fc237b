package io.perdure.server.telemetry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An expression in PromQL, as far as it names series and labels. */
record Query(String text) {
    private static final Pattern TEXT = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring) *\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*\\]");
    private static final Pattern NAME = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*(\\{([^}]*)\\})?\\s*(\\()?");
    private static final Pattern MATCHER = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*) *(?:=~|!~|!=|=)");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset", "by", "without", "on");

    /** What Prometheus adds to every target by itself. */
    private static final Set<String> OWN = Set.of("up");

    /** What it asks for and a scrape does not show. */
    List<String> faults(Scraped scraped) {
        List<String> faults = new ArrayList<>();
        Set<String> there = new HashSet<>();
        String bare = TEXT.matcher(text).replaceAll("\"\"");
        String ungrouped = GROUPING.matcher(RANGE.matcher(bare).replaceAll("")).replaceAll(" ");
        Matcher name = NAME.matcher(ungrouped);
        while (name.find()) {
            String series = name.group(1);
            if (name.group(4) == null && !WORDS.contains(series) && !OWN.contains(series)) {
                faults.addAll(faults(scraped, series, name.group(3) == null ? "" : name.group(3), there));
            }
        }
        if (faults.isEmpty()) {
            faults.addAll(groupings(bare, there));
        }
        return faults;
    }

    private static List<String> faults(Scraped scraped, String series, String matchers, Set<String> there) {
        Set<String> labels = scraped.labels().get(series);
        if (labels == null) {
            return List.of(series + " is not shown");
        }
        there.addAll(labels);
        List<String> faults = new ArrayList<>();
        Matcher matcher = MATCHER.matcher(matchers);
        while (matcher.find()) {
            if (!labels.contains(matcher.group(1))) {
                faults.add(series + " has no label " + matcher.group(1));
            }
        }
        return faults;
    }

    private static List<String> groupings(String bare, Set<String> there) {
        return GROUPING.matcher(bare)
                .results()
                .flatMap(group -> Arrays.stream(group.group(1).split(",")))
                .map(String::strip)
                .filter(label -> !label.isEmpty() && !label.equals("instance") && !there.contains(label))
                .map(label -> "nothing in it has a label " + label)
                .toList();
    }
}
