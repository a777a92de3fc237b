package io.perdure.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command from outside, as another jar would bring it. */
public final class GreetingCommands implements MoreCommands {
    @Override
    public List<Object> commands(Terminal terminal) {
        return List.of(new Greet(terminal));
    }

    @Command(name = "greet", header = "Says hello.")
    static final class Greet implements Runnable {
        private final Terminal terminal;

        @Mixin
        private FormatOption format = new FormatOption();

        Greet(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public void run() {
            format.print(terminal, List.of("hello"), () -> terminal.out().println("hello"));
        }
    }
}
