package io.perdure.cli;

import java.io.PrintWriter;
import java.util.Map;

/**
 * Where a command prints, and how wide.
 *
 * @param out for the data that was asked for
 * @param err for errors and progress
 * @param columns width that text must fit into; {@link #UNBOUNDED} where a program reads it
 * @param stackTraces whether errors show where they came from
 */
record Terminal(PrintWriter out, PrintWriter err, int columns, boolean stackTraces) {
    static final int UNBOUNDED = Integer.MAX_VALUE;
    private static final int NARROWEST = 40;

    Terminal {
        if (columns < NARROWEST) {
            columns = NARROWEST;
        }
    }

    /** Reads {@code COLUMNS}, which the launcher sets on a terminal, and {@code PERDURE_STACKTRACE}. */
    static Terminal of(PrintWriter out, PrintWriter err, Map<String, String> environment) {
        String stackTraces = environment.getOrDefault("PERDURE_STACKTRACE", "");
        return new Terminal(out, err, columns(environment), !stackTraces.isEmpty() && !stackTraces.equals("0"));
    }

    private static int columns(Map<String, String> environment) {
        String columns = environment.getOrDefault("COLUMNS", "");
        return columns.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(columns) : UNBOUNDED;
    }
}
