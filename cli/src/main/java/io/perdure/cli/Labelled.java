package io.perdure.cli;

import java.util.List;
import java.util.Locale;

/** Values under each other, each behind its label. */
final class Labelled {
    private static final int LABEL_WIDTH = 12;

    private Labelled() {}

    /** On one line, however long it is: it can be copied. */
    static void print(Terminal terminal, String label, String value) {
        terminal.out()
                .println(Failures.harmless(
                        String.format(Locale.ROOT, "%-" + LABEL_WIDTH + "s %s", label, RunText.oneLine(value))));
    }

    /** The same for words of ours that may be many: they go on under themselves where the terminal ends. */
    static void printWrapped(Terminal terminal, String label, String value) {
        List<String> lines = Wrap.lines(value, terminal.columns() - LABEL_WIDTH - 1);
        print(terminal, label, lines.getFirst());
        lines.stream().skip(1).forEach(line -> print(terminal, "", line));
    }
}
