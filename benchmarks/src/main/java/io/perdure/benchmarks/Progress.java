package io.perdure.benchmarks;

import io.perdure.cli.Terminal;
import java.util.function.Consumer;

/** Tells whoever waits for a benchmark what it is at, beside what it prints in the end. */
record Progress(Terminal terminal) implements Consumer<String> {
    @Override
    public void accept(String line) {
        terminal.err().println(line);
        terminal.err().flush();
    }
}
