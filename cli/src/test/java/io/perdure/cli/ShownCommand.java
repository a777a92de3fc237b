package io.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command that a page shows in a block.
 *
 * @param place page and line
 * @param words the command, and what follows it, as a shell would take it apart
 * @param output what the page shows under it, where the command has a prompt before it
 * @param notRun why it is not run; empty where it is
 */
record ShownCommand(String place, List<String> words, String output, String notRun) {
    static final Path CHECKOUT = Path.of("..");
    private static final Pattern NOT_RUN = Pattern.compile("<!-- not run: (.*) -->");
    private static final Pattern COMMAND = Pattern.compile("(\\$ )?(?:(?:\\.\\./perdure/|\\./)?perdure|curl)(?: .*)?");
    private static final Pattern INLINE = Pattern.compile("`(?:\\./)?(perdure [a-z][^`]*)`");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(?:^|(?<=\\s))#.*|[^\\s'\"]+");

    /** Decisions are left out: they tell of what was considered at the time. */
    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(CHECKOUT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")
                                    .map(CHECKOUT::resolve),
                            files.filter(file -> file.toString().endsWith(".md"))
                                    .filter(file -> !file.toString().contains("decisions"))
                                    .sorted())
                    .toList();
        }
    }

    static List<ShownCommand> in(Path page) throws IOException {
        return in(CHECKOUT.relativize(page).toString(), Files.readAllLines(page));
    }

    static List<ShownCommand> in(String page, List<String> lines) {
        List<ShownCommand> found = new ArrayList<>();
        String notRun = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher comment = NOT_RUN.matcher(lines.get(i));
            if (lines.get(i).startsWith("```")) {
                int end = lines.subList(i + 1, lines.size()).indexOf("```") + i + 1;
                addAll(found, page, i + 2, lines.subList(i + 1, end), notRun);
                i = end;
                notRun = "";
            } else if (comment.matches()) {
                notRun = comment.group(1);
            } else if (!lines.get(i).isBlank()) {
                notRun = "";
            }
        }
        return found;
    }

    private static void addAll(List<ShownCommand> found, String page, int first, List<String> block, String notRun) {
        for (int i = 0; i < block.size(); i++) {
            Matcher command = COMMAND.matcher(block.get(i));
            if (!command.matches()) {
                continue;
            }
            int line = first + i;
            StringBuilder text = new StringBuilder(block.get(i).replaceFirst("^\\$ ", ""));
            while (text.toString().endsWith("\\")) {
                i++;
                text.setLength(text.length() - 1);
                text.append(block.get(i).strip());
            }
            List<String> output = new ArrayList<>();
            while (command.group(1) != null
                    && i + 1 < block.size()
                    && !block.get(i + 1).startsWith("$ ")) {
                i++;
                output.add(block.get(i));
            }
            found.add(new ShownCommand(
                    page + ":" + line,
                    words(text.toString()),
                    String.join("\n", output).strip(),
                    notRun));
        }
    }

    /** Commands in the text of a page: not always whole, but never of something that is not there. */
    static List<List<String>> inTextOf(Path page) throws IOException {
        return INLINE.matcher(Files.readString(page)
                        .replaceAll("(?ms)^```.*?^```", "")
                        .replaceAll("\\s+", " "))
                .results()
                .map(found -> words(found.group(1)))
                .toList();
    }

    static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .filter(word -> !word.group().startsWith("#"))
                .map(word ->
                        word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group())
                .toList();
    }

    boolean isCurl() {
        return words.getFirst().equals("curl");
    }

    /** What goes to the command line: without its name, and without what the shell does with its input and output. */
    List<String> arguments() {
        int end = (int)
                words.stream().takeWhile(word -> !word.matches("[|<>;]|>>.*")).count();
        return words.subList(1, end);
    }

    boolean startsWith(String... begin) {
        return arguments().size() >= begin.length
                && arguments().subList(0, begin.length).equals(List.of(begin));
    }

    @Override
    public String toString() {
        return place + " " + String.join(" ", words);
    }
}
