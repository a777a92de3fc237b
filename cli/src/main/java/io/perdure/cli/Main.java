package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Starts the command line; {@code ./perdure} runs it. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code: 0 done, 1 failed, 2 wrong usage. */
    public static void main(String[] args) {
        // By its name: Java makes its own manager as soon as this one is touched.
        System.setProperty("java.util.logging.manager", LastingLogs.class.getName());
        InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        Output out = new Output(new FileOutputStream(FileDescriptor.out));
        PrintWriter err = writer(new FileOutputStream(FileDescriptor.err));
        System.exit(run(Terminal.of(in, writer(out), err, System.getenv()), out, args));
    }

    /** Runs one command over a terminal that prints to this output. What could not be printed is a failure too. */
    static int run(Terminal terminal, Output output, String... args) {
        int exitCode = Commands.over(terminal).execute(args);
        terminal.out().flush();
        if (output.failure().isPresent()) {
            report(terminal, output.failure().get(), exitCode);
            exitCode = Math.max(exitCode, Failures.FAILED);
        }
        terminal.err().flush();
        return exitCode;
    }

    private static void report(Terminal terminal, IOException failure, int exitCode) {
        String why = String.valueOf(failure.getMessage());
        // Who reads through "head" has seen enough and wants no error.
        if (!why.contains("Broken pipe")) {
            String done = exitCode == 0 ? " The command did its work, but what it had to say is lost." : "";
            terminal.err()
                    .println(ErrorCode.OUTPUT_LOST.code() + " Standard output cannot be written: " + why + "." + done);
        }
    }

    /** UTF-8 whatever the locale: JSON must not lose characters because it was piped under LANG=C. */
    static PrintWriter writer(OutputStream out) {
        return new PrintWriter(out, false, StandardCharsets.UTF_8);
    }
}
