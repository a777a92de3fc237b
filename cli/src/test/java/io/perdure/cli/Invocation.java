package io.perdure.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What one run of the command line answered. */
record Invocation(int exitCode, String out, String err) {
    static Invocation of(String... args) {
        return in(Map.of(), args);
    }

    static Invocation in(Map<String, String> environment, String... args) {
        return run(InputStream.nullInputStream(), environment, args);
    }

    /** With this on standard input. */
    static Invocation fed(String input, String... args) {
        return fed(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), args);
    }

    /** With this on standard input, which need not be text. */
    static Invocation fed(InputStream input, String... args) {
        return run(input, Map.of(), args);
    }

    /** With this on standard input, in this environment. */
    static Invocation fed(String input, Map<String, String> environment, String... args) {
        return run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), environment, args);
    }

    private static Invocation run(InputStream in, Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = Terminal.of(in, new PrintWriter(out), new PrintWriter(err), environment);
        int exitCode = Commands.over(terminal).execute(args);
        terminal.out().flush();
        terminal.err().flush();
        return new Invocation(exitCode, out.toString(), err.toString());
    }
}
