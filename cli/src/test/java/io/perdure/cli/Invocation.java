package io.perdure.cli;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Map;

/** What one run of the command line answered. */
record Invocation(int exitCode, String out, String err) {
    static Invocation of(String... args) {
        return in(Map.of(), args);
    }

    static Invocation in(Map<String, String> environment, String... args) {
        return run("", environment, args);
    }

    /** With this on standard input. */
    static Invocation fed(String input, String... args) {
        return run(input, Map.of(), args);
    }

    private static Invocation run(String input, Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        BufferedReader in = new BufferedReader(new StringReader(input));
        Terminal terminal = Terminal.of(in, new PrintWriter(out), new PrintWriter(err), environment);
        int exitCode = Commands.over(terminal).execute(args);
        terminal.out().flush();
        terminal.err().flush();
        return new Invocation(exitCode, out.toString(), err.toString());
    }
}
