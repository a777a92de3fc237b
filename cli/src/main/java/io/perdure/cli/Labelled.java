package io.perdure.cli;

import java.util.Locale;

/** Values under each other, each on one line behind its label. */
final class Labelled {
    private Labelled() {}

    static void print(Terminal terminal, String label, String value) {
        terminal.out()
                .println(Failures.harmless(String.format(Locale.ROOT, "%-12s %s", label, RunText.oneLine(value))));
    }
}
