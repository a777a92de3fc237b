package io.perdure.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows under headings. The last column wraps at words, so that the table fits the terminal. */
final class TextTable {
    private static final String GAP = "  ";
    private static final int NARROWEST_LAST_COLUMN = 20;

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... headings) {
        rows.add(List.of(headings));
    }

    void row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("a row has as many cells as there are headings");
        }
        rows.add(List.of(cells));
    }

    void print(Terminal terminal) {
        int last = rows.getFirst().size() - 1;
        StringBuilder format = new StringBuilder();
        int indent = 0;
        for (int column = 0; column < last; column++) {
            int width = widthOf(column);
            format.append("%-").append(width).append("s").append(GAP);
            indent += width + GAP.length();
        }
        int lastWidth = terminal.columns() == Terminal.UNBOUNDED
                ? Terminal.UNBOUNDED
                : Math.max(NARROWEST_LAST_COLUMN, terminal.columns() - indent);
        for (List<String> row : rows) {
            printRow(terminal.out(), row, format.toString(), indent, Wrap.lines(row.get(last), lastWidth));
        }
    }

    private static void printRow(PrintWriter out, List<String> row, String format, int indent, List<String> tail) {
        String head = String.format(format, row.subList(0, row.size() - 1).toArray());
        out.println((head + tail.getFirst()).stripTrailing());
        for (String more : tail.subList(1, tail.size())) {
            out.println(" ".repeat(indent) + more);
        }
    }

    private int widthOf(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }
}
