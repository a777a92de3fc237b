package io.perdure.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Rows under headings. The last column wraps at words, so that the table fits the terminal; where hardly a word would
 * fit beside the others it goes below them.
 */
public final class TextTable {
    private static final String GAP = "  ";
    private static final int NARROWEST_LAST_COLUMN = 20;
    private static final int BELOW_INDENT = 4;
    private static final String CUT = "...";

    private final List<List<String>> rows = new ArrayList<>();

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
        return text.length() <= width ? text : text.substring(0, width - CUT.length()) + CUT;
    }

    private void print(Terminal terminal, BiFunction<String, Integer, List<String>> fitted) {
        int last = rows.getFirst().size() - 1;
        StringBuilder format = new StringBuilder();
        int indent = 0;
        for (int column = 0; column < last; column++) {
            int width = widthOf(column);
            format.append("%-").append(width).append("s").append(GAP);
            indent += width + GAP.length();
        }
        boolean beside = terminal.columns() - indent >= NARROWEST_LAST_COLUMN;
        int lastIndent = beside ? indent : BELOW_INDENT;
        for (List<String> row : rows) {
            String head = String.format(format.toString(), row.subList(0, last).toArray());
            List<String> tail = fitted.apply(row.get(last), terminal.columns() - lastIndent);
            printRow(terminal.out(), head, tail, lastIndent, beside);
        }
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
