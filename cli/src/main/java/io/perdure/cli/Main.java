package io.perdure.cli;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Starts the command line; {@code ./perdure} runs it. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code: 0 done, 1 failed, 2 wrong usage. */
    public static void main(String[] args) {
        BufferedReader in = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        Terminal terminal = Terminal.of(in, writer(FileDescriptor.out), writer(FileDescriptor.err), System.getenv());
        int exitCode = Commands.over(terminal).execute(args);
        terminal.out().flush();
        terminal.err().flush();
        System.exit(exitCode);
    }

    /** UTF-8 whatever the locale: JSON must not lose characters because it was piped under LANG=C. */
    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }
}
