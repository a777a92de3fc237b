package io.perdure.server.telemetry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a scrape of {@code /metrics} said.
 *
 * @param types the kind of each family
 * @param labels the names of the labels of each time series' name
 * @param series each series: its name, and its labels with their values
 * @param values each series as it is written, and its value
 */
record Scraped(
        Map<String, String> types, Map<String, Set<String>> labels, List<Series> series, Map<String, Double> values) {
    /** One time series. */
    record Series(String name, Map<String, String> labels) {}

    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    static Scraped parse(String text) {
        Map<String, String> types = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        List<Series> all = new ArrayList<>();
        Map<String, Double> values = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            Matcher type = TYPE.matcher(line);
            Matcher series = SERIES.matcher(line);
            if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (series.matches()) {
                Set<String> names = labels.computeIfAbsent(series.group(1), _ -> new TreeSet<>());
                Matcher label = LABEL.matcher(series.group(3) == null ? "" : series.group(3));
                Map<String, String> its = new TreeMap<>();
                while (label.find()) {
                    names.add(label.group(1));
                    its.put(label.group(1), label.group(2));
                }
                all.add(new Series(series.group(1), its));
                values.put(
                        series.group(1) + (series.group(2) == null ? "" : series.group(2)),
                        Double.parseDouble(series.group(4).replace("+Inf", "Infinity")));
            } else if (!line.startsWith("# HELP ")) {
                throw new AssertionError("No line of the format: " + line);
            }
        }
        return new Scraped(types, labels, all, values);
    }

    /** Whether a series only grows, save for restarts. */
    boolean isCounted(String name) {
        String family = name.replaceFirst("_(bucket|count|sum)$", "");
        return "counter".equals(types.get(name)) || "histogram".equals(types.get(family));
    }

    /** The value of a series, named with its labels in the order of their names; 0 where it is not there. */
    double value(String series) {
        return values.getOrDefault(series, 0.0);
    }
}
