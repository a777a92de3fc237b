package io.perdure.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Rows under headings. The last column wraps at words, so that the table fits the terminal; where hardly a word would
 * fit beside the others it goes below them. Where not even the others fit, the first is made narrow, and what is too long for it has
 * a line of its own, whole: it is a name or an id that somebody wants to copy.
 */
public final class TextTable {
    private static final String GAP = "  ";
    private static final int NARROWEST_LAST_COLUMN = 20;
    private static final int BELOW_INDENT = 4;
    private static final String CUT = "...";

    private final List<List<String>> rows = new ArrayList<>();
    /** What is printed below a row, by the number of that row. */
    private final Map<Integer, List<String>> below = new HashMap<>();

    /** A table without rows. */
    public TextTable(String... headings) {
        rows.add(List.of(headings));
    }

    /** Adds a row of as many cells as there are headings. */
    public void row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("a row has as many cells as there are headings");
        }
        rows.add(List.of(cells));
    }

    /** Adds lines that are printed below the newest row as they are, however long, so that they can be copied. */
    void below(List<String> lines) {
        below.put(rows.size() - 1, List.copyOf(lines));
    }

    /** Prints the table so that it fits. */
    public void print(Terminal terminal) {
        print(terminal, Wrap::lines);
    }

    /** The same with a last column that is cut where it does not fit, for texts that nobody has to see whole. */
    public void printCut(Terminal terminal) {
        print(terminal, (text, width) -> List.of(cut(text, width)));
    }

    /** A text that is at most so wide; three points stand for what was left out. */
    static String cut(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        int end = width - CUT.length();
        boolean inPair = Character.isHighSurrogate(text.charAt(end - 1)) && Character.isLowSurrogate(text.charAt(end));
        return text.substring(0, inPair ? end - 1 : end) + CUT;
    }

    private void print(Terminal terminal, BiFunction<String, Integer, List<String>> fitted) {
        int last = rows.getFirst().size() - 1;
        List<Integer> widths = widths(last, terminal.columns());
        int indent = room(widths);
        boolean beside = terminal.columns() - indent >= NARROWEST_LAST_COLUMN;
        int lastIndent = beside ? indent : BELOW_INDENT;
        for (int at = 0; at < rows.size(); at++) {
            List<String> row = rows.get(at);
            List<String> tail = fitted.apply(row.get(last), terminal.columns() - lastIndent);
            if (isAlone(row, 0, widths)) {
                terminal.out().println(row.getFirst());
            }
            printRow(terminal.out(), head(row, widths), tail, lastIndent, beside);
            below.getOrDefault(at, List.of()).forEach(terminal.out()::println);
        }
    }

    /** How wide the columns before the last one are. */
    private List<Integer> widths(int last, int columns) {
        List<Integer> widths =
                new ArrayList<>(IntStream.range(0, last).mapToObj(this::widthOf).toList());
        int room = room(widths);
        if (room - GAP.length() > columns) {
            int left = widths.getFirst() - (room - columns) - NARROWEST_LAST_COLUMN;
            widths.set(0, Math.max(rows.getFirst().getFirst().length(), left));
        }
        return widths;
    }

    private static int room(List<Integer> widths) {
        return widths.stream().mapToInt(width -> width + GAP.length()).sum();
    }

    /** The cells before the last one, without one that has a line of its own. */
    private static String head(List<String> row, List<Integer> widths) {
        StringBuilder head = new StringBuilder();
        for (int column = 0; column < widths.size(); column++) {
            String cell = isAlone(row, column, widths) ? "" : row.get(column);
            head.append(cell)
                    .append(" ".repeat(widths.get(column) - cell.length()))
                    .append(GAP);
        }
        return head.toString();
    }

    private static boolean isAlone(List<String> row, int column, List<Integer> widths) {
        return column < widths.size() && row.get(column).length() > widths.get(column);
    }

    private static void printRow(PrintWriter out, String head, List<String> tail, int indent, boolean beside) {
        out.println((beside ? head + tail.getFirst() : head).stripTrailing());
        for (String more : beside ? tail.subList(1, tail.size()) : tail) {
            out.println((" ".repeat(indent) + more).stripTrailing());
        }
    }

    private int widthOf(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }
}
