package io.perdure.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** What one run of the command line answered. */
record Invocation(int exitCode, String out, String err) {
    static Invocation of(String... args) {
        return in(Map.of(), args);
    }

    static Invocation in(Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = Terminal.of(new PrintWriter(out), new PrintWriter(err), environment);
        int exitCode = Commands.over(terminal).execute(args);
        terminal.out().flush();
        terminal.err().flush();
        return new Invocation(exitCode, out.toString(), err.toString());
    }
}
