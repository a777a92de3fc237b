package io.perdure.server.telemetry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An expression in PromQL, as far as it names series and labels: each selector must find something in a scrape. */
record Query(String text) {
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring) *\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[0-9][^\\]]*\\]");
    private static final Pattern NAME = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*(\\{([^}]*)\\})?\\s*(\\()?");
    private static final Pattern MATCHER =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*) *(=~|!~|!=|=) *\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset", "by", "without", "on");

    /** What Prometheus adds to every target by itself. */
    private static final Set<String> OWN = Set.of("up");

    /** What it asks for and a scrape does not show. */
    List<String> faults(Scraped scraped) {
        List<String> faults = new ArrayList<>();
        Set<String> there = new HashSet<>();
        if (text.chars().filter(one -> one == '(').count()
                != text.chars().filter(one -> one == ')').count()) {
            faults.add("its parentheses do not match");
        }
        Matcher name = NAME.matcher(
                GROUPING.matcher(RANGE.matcher(text).replaceAll("")).replaceAll(" "));
        while (name.find()) {
            String series = name.group(1);
            if (name.group(4) == null && !WORDS.contains(series) && !OWN.contains(series)) {
                faults.addAll(faults(scraped, series, name.group(3) == null ? "" : name.group(3)));
                there.addAll(scraped.labels().getOrDefault(series, Set.of()));
            }
        }
        if (faults.isEmpty()) {
            faults.addAll(groupings(there));
        }
        return faults;
    }

    private static List<String> faults(Scraped scraped, String series, String selector) {
        Set<String> labels = scraped.labels().get(series);
        if (labels == null) {
            return List.of(series + " is not shown");
        }
        List<Asked> asked = MATCHER.matcher(selector)
                .results()
                .map(found -> new Asked(found.group(1), found.group(2), found.group(3)))
                .toList();
        List<String> faults = new ArrayList<>();
        asked.stream()
                .filter(one -> !labels.contains(one.label()))
                .forEach(one -> faults.add(series + " has no label " + one.label()));
        boolean found = scraped.series().stream()
                .filter(one -> one.name().equals(series))
                .anyMatch(one -> asked.stream().allMatch(matcher -> matcher.isMetBy(one)));
        if (faults.isEmpty() && !found) {
            faults.add("no " + series + " is as " + selector + " asks");
        }
        return faults;
    }

    /** What a selector asks of a label. */
    private record Asked(String label, String operator, String value) {
        boolean isMetBy(Scraped.Series series) {
            String has = series.labels().getOrDefault(label, "");
            return switch (operator) {
                case "=" -> has.equals(value);
                case "!=" -> !has.equals(value);
                case "=~" -> has.matches(value);
                case "!~" -> !has.matches(value);
                default -> throw new IllegalStateException(operator);
            };
        }
    }

    private List<String> groupings(Set<String> there) {
        return GROUPING.matcher(text)
                .results()
                .flatMap(group -> Arrays.stream(group.group(1).split(",")))
                .map(String::strip)
                .filter(label -> !label.isEmpty() && !label.equals("instance") && !there.contains(label))
                .map(label -> "nothing in it has a label " + label)
                .toList();
    }
}
