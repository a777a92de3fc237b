package io.perdure.server.telemetry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An expression in PromQL, as far as it names series and labels, and asks of a series what its kind has an answer to: each selector must find something in
 * a scrape.
 */
record Query(String text) {
    private static final String SERIES = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring) *\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[0-9][^\\]]*\\]");
    private static final Pattern NAME = Pattern.compile("(" + SERIES + ")\\s*(\\{([^}]*)\\})?\\s*(\\()?");
    private static final Pattern MATCHER =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*) *(=~|!~|!=|=) *\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset", "by", "without", "on");
    private static final Pattern RATE = Pattern.compile("\\b(rate|irate|increase) *\\(");
    private static final Pattern RATED =
            Pattern.compile("\\b(rate|irate|increase) *\\( *(" + SERIES + ") *(?:\\{[^}]*\\})? *(\\[[^\\]]*\\])? *\\)");
    private static final Pattern QUANTILE = Pattern.compile("\\bhistogram_quantile *\\(");
    private static final Pattern AGGREGATION =
            Pattern.compile("\\b(?:sum|max|min|avg|count)\\b *(?:by *\\(([^)]*)\\))?");
    private static final Pattern BUCKETS = Pattern.compile("\\b" + SERIES + "_bucket\\b");

    /** What Prometheus adds to every target by itself. */
    private static final Set<String> OWN = Set.of("up");

    /** And to every series. */
    private static final Set<String> OWN_LABELS = Set.of("job", "instance");

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
            faults.addAll(ranges(scraped));
            faults.addAll(quantiles());
        }
        return faults;
    }

    /** Only what is counted up has a rate, and that is over a time; nothing else is. */
    private List<String> ranges(Scraped scraped) {
        List<String> faults = new ArrayList<>();
        long rates = RATE.matcher(text).results().count();
        Matcher rated = RATED.matcher(text);
        while (rated.find()) {
            rates--;
            if (rated.group(3) == null) {
                faults.add(rated.group(1) + " of " + rated.group(2) + " says no time");
            }
            if (!scraped.isCounted(rated.group(2))) {
                faults.add(rated.group(2) + " is not counted up, and has no " + rated.group(1));
            }
        }
        if (rates > 0) {
            faults.add("a rate is of one series and nothing else");
        }
        if (RANGE.matcher(RATED.matcher(text).replaceAll("")).find()) {
            faults.add("a time belongs to a rate");
        }
        return faults;
    }

    /** A quantile is of buckets, which are told apart by {@code le} until the end. */
    private List<String> quantiles() {
        List<String> faults = new ArrayList<>();
        Matcher quantile = QUANTILE.matcher(text);
        while (quantile.find()) {
            String of = upToItsEnd(text.substring(quantile.end()));
            if (!BUCKETS.matcher(of).find()) {
                faults.add("a quantile is of buckets");
            }
            if (aggregations(of).anyMatch(by -> !by.contains("le"))) {
                faults.add("a quantile needs the label le");
            }
        }
        return faults;
    }

    private static String upToItsEnd(String opened) {
        int depth = 1;
        int end = 0;
        while (depth > 0 && end < opened.length()) {
            depth += opened.charAt(end) == '(' ? 1 : opened.charAt(end) == ')' ? -1 : 0;
            end++;
        }
        return opened.substring(0, end);
    }

    /** By which labels each of its aggregations keeps apart. */
    private static Stream<Set<String>> aggregations(String expression) {
        return AGGREGATION
                .matcher(expression)
                .results()
                .map(found -> found.group(1) == null ? "" : found.group(1))
                .map(by -> Arrays.stream(by.split(",")).map(String::strip).collect(Collectors.toSet()));
    }

    /** Whether it takes installations together that one Prometheus scrapes: it neither asks for a job everywhere nor keeps jobs apart. */
    boolean mergesJobs() {
        return aggregations(text).anyMatch(by -> !by.contains("job")) && !asksForJobs();
    }

    private boolean asksForJobs() {
        return NAME.matcher(GROUPING.matcher(RANGE.matcher(text).replaceAll("")).replaceAll(" "))
                .results()
                .filter(name -> name.group(4) == null && !WORDS.contains(name.group(1)))
                .allMatch(name -> name.group(3) != null && name.group(3).contains("job="));
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
                .filter(one -> !labels.contains(one.label()) && !OWN_LABELS.contains(one.label()))
                .forEach(one -> faults.add(series + " has no label " + one.label()));
        boolean found = scraped.series().stream()
                .filter(one -> one.name().equals(series))
                .anyMatch(one -> asked.stream()
                        .filter(matcher -> !OWN_LABELS.contains(matcher.label()))
                        .allMatch(matcher -> matcher.isMetBy(one)));
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
                .filter(label -> !label.isEmpty() && !OWN_LABELS.contains(label) && !there.contains(label))
                .map(label -> "nothing in it has a label " + label)
                .toList();
    }
}
