package io.perdure.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a page asks its reader to do next, or says that the reader will see. A comment before a block, which readers of the page do not
 * see, tells what the block is; a block of such a page without one is refused.
 */
sealed interface GuideStep {
    /** {@code <!-- file: pom.xml -->}: put the block into this file. */
    record WriteFile(Path file, String text) implements GuideStep {}

    /** {@code <!-- edit: pom.xml -->}: in this file, put the second lines in place of the first. */
    record EditFile(Path file, String before, String after) implements GuideStep {}

    /** {@code <!-- run -->}: run it to its end, which has to be a good one. */
    record Run(String script) implements GuideStep {}

    /** {@code <!-- run, and leave it running -->}: in a terminal of its own. */
    record Leave(String script) implements GuideStep {}

    /** {@code <!-- it says -->}: what the last command has printed, to the end. */
    record Says(List<String> lines) implements GuideStep {}

    /** {@code <!-- it says in the end -->}: what the last command prints, if not at once then when it is run again. */
    record SaysInTheEnd(List<String> lines) implements GuideStep {}

    /** {@code <!-- the one left running says -->}: what that one prints next. */
    record SaysNext(List<String> lines) implements GuideStep {}

    /** {@code <!-- press Enter -->}: in the terminal of the one that runs. */
    record PressEnter() implements GuideStep {}

    /** {@code <!-- kill it -->}: with SIGKILL, the one that runs. */
    record Kill() implements GuideStep {}

    /** {@code <!-- it ends -->}: the one that runs does, well. */
    record Ends() implements GuideStep {}

    /** {@code <!-- not run: reason -->}. */
    record NotRun(String reason) implements GuideStep {}

    /** All of a page, in its order. */
    static List<GuideStep> in(TextFile page) {
        List<GuideStep> steps = new ArrayList<>();
        List<String> lines = page.lines();
        String mark = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher comment = Marks.COMMENT.matcher(lines.get(i));
            if (comment.matches()) {
                mark = comment.group(1);
                Marks.alone(mark).ifPresent(steps::add);
            } else if (lines.get(i).startsWith("```")) {
                int end = lines.subList(i + 1, lines.size()).indexOf("```") + i + 1;
                steps.add(Marks.of(mark, lines.subList(i + 1, end), page.path() + ":" + (i + 1)));
                i = end;
                mark = "";
            }
        }
        return steps;
    }

    /** How comments are read. */
    final class Marks {
        private static final Pattern COMMENT = Pattern.compile("<!-- (.+) -->");
        private static final Pattern NAMED = Pattern.compile("(file|edit|not run): (.+)");

        private Marks() {}

        private static Optional<GuideStep> alone(String mark) {
            return Optional.ofNullable(
                    switch (mark) {
                        case "press Enter" -> new PressEnter();
                        case "kill it" -> new Kill();
                        case "it ends" -> new Ends();
                        default -> null;
                    });
        }

        private static GuideStep of(String mark, List<String> block, String place) {
            String text = String.join("\n", block) + "\n";
            Matcher named = NAMED.matcher(mark);
            if (named.matches()) {
                return switch (named.group(1)) {
                    case "file" -> new WriteFile(Path.of(named.group(2)), text);
                    case "edit" ->
                        new EditFile(Path.of(named.group(2)), marked(block, "-", place), marked(block, "+", place));
                    default -> new NotRun(named.group(2));
                };
            }
            return switch (mark) {
                case "run" -> new Run(text);
                case "run, and leave it running" -> new Leave(text);
                case "it says" -> new Says(List.copyOf(block));
                case "it says in the end" -> new SaysInTheEnd(List.copyOf(block));
                case "the one left running says" -> new SaysNext(List.copyOf(block));
                default -> throw new AssertionError(place + " has no comment that says what to do with it: " + mark);
            };
        }

        private static String marked(List<String> diff, String sign, String place) {
            List<String> lines = diff.stream()
                    .filter(line -> line.startsWith(sign))
                    .map(line -> line.substring(1))
                    .toList();
            if (lines.isEmpty()) {
                throw new AssertionError(place + " has no line that begins with " + sign);
            }
            return String.join("\n", lines) + "\n";
        }
    }
}
