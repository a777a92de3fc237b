package io.perdure.architecture;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Mermaid diagram of a page, read line by line as far as our pages use the language.
 *
 * @param place page and line
 * @param lines what is between its fences
 */
record Diagram(String place, List<String> lines) {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```mermaid\\n(.*?)^```$");
    private static final Pattern STATE_EDGE = Pattern.compile("\\s+(\\[\\*]|\\w+) --> (\\[\\*]|\\w+)(?: : (.+))?");
    private static final Pattern STATE_WITHIN = Pattern.compile("\\s+(?:state \\w+ \\{|})");
    private static final Pattern PARTICIPANT = Pattern.compile("\\s+participant (\\w+)(?: as [\\w ]+)?");
    private static final Pattern CALL = Pattern.compile("\\s+(\\w+)(?:->>|-->>|--x|-x)(\\w+): \\S.*");
    private static final Pattern NOTE = Pattern.compile("\\s+Note over (\\w+): \\S.*");
    private static final Pattern FLOW =
            Pattern.compile("\\s+(\\w+)(?:\\(\\[[^\\]]+]\\)|\\[[^\\]]+])? -->(?:\\|[^|]+\\|)?"
                    + " (\\w+)(?:\\(\\[[^\\]]+]\\)|\\[[^\\]]+])?");

    /** How the lines after the first are read, by the first. */
    private static final Map<String, List<Pattern>> KINDS = Map.of(
            "stateDiagram-v2", List.of(STATE_EDGE, STATE_WITHIN),
            "sequenceDiagram", List.of(PARTICIPANT, CALL, NOTE),
            "flowchart LR", List.of(FLOW));

    /**
     * An edge of a diagram of states.
     *
     * @param label what is written at it; empty where nothing is
     */
    record Edge(String from, String to, String label) {}

    static List<Diagram> in(TextFile page) {
        List<Diagram> found = new ArrayList<>();
        Matcher block = BLOCK.matcher(page.text());
        while (block.find()) {
            long line = page.text().substring(0, block.start()).lines().count() + 1;
            found.add(
                    new Diagram(page.path() + ":" + line, block.group(1).lines().toList()));
        }
        return found;
    }

    String kind() {
        return lines.isEmpty() ? "" : lines.getFirst();
    }

    /** What cannot be drawn, or speaks of somebody who was not introduced. */
    Stream<String> problems() {
        List<Pattern> patterns = KINDS.getOrDefault(kind(), List.of());
        if (patterns.isEmpty()) {
            return Stream.of(place + " is a diagram of an unknown kind: " + kind());
        }
        Stream<String> unread = lines.stream()
                .skip(1)
                .filter(line -> patterns.stream()
                        .noneMatch(pattern -> pattern.matcher(line).matches()))
                .map(line -> place + " has a line that is not understood: " + line);
        return Stream.concat(unread, strangers());
    }

    private Stream<String> strangers() {
        if (!kind().equals("sequenceDiagram")) {
            return Stream.empty();
        }
        Set<String> known = new LinkedHashSet<>();
        all(PARTICIPANT).forEach(line -> known.add(line.group(1)));
        Stream<String> named = Stream.concat(
                all(CALL).flatMap(line -> Stream.of(line.group(1), line.group(2))),
                all(NOTE).map(line -> line.group(1)));
        return named.filter(name -> !known.contains(name)).map(name -> place + " does not introduce " + name);
    }

    /** The edges of a diagram of states. */
    List<Edge> edges() {
        return all(STATE_EDGE)
                .map(line -> new Edge(line.group(1), line.group(2), line.group(3) == null ? "" : line.group(3)))
                .toList();
    }

    private Stream<MatchResult> all(Pattern pattern) {
        return lines.stream().map(pattern::matcher).filter(Matcher::matches).map(Matcher::toMatchResult);
    }
}
