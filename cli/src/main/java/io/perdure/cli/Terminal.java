package io.perdure.cli;

import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Map;

/**
 * What a command reads and where it prints, and how wide.
 *
 * @param in what is piped in or typed, as bytes: how they are read is for who reads them
 * @param out for the data that was asked for
 * @param err for errors and progress
 * @param columns width that text must fit into; {@link #UNBOUNDED} where a program reads it
 * @param environment the variables that commands take defaults from
 */
public record Terminal(InputStream in, PrintWriter out, PrintWriter err, int columns, Map<String, String> environment) {
    static final int UNBOUNDED = Integer.MAX_VALUE;
    private static final int NARROWEST = 40;

    public Terminal {
        if (columns < NARROWEST) {
            columns = NARROWEST;
        }
        environment = Map.copyOf(environment);
    }

    /** As wide as {@code COLUMNS} says, which the launcher sets on a terminal. */
    static Terminal of(InputStream in, PrintWriter out, PrintWriter err, Map<String, String> environment) {
        return new Terminal(in, out, err, columns(environment), environment);
    }

    /** Whether errors show where they came from: {@code PERDURE_STACKTRACE} is set, and not to 0. */
    boolean stackTraces() {
        String stackTraces = environment.getOrDefault("PERDURE_STACKTRACE", "");
        return !stackTraces.isEmpty() && !stackTraces.equals("0");
    }

    /** Whether colours are seen and wanted: the output is a terminal, and {@code NO_COLOR} is not set. */
    public boolean colours() {
        return columns != UNBOUNDED
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    private static int columns(Map<String, String> environment) {
        String columns = environment.getOrDefault("COLUMNS", "");
        return columns.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(columns) : UNBOUNDED;
    }
}
