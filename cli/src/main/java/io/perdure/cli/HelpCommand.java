package io.perdure.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code perdure help}: what {@code --help} shows, for who asks in words. */
@Command(
        name = "help",
        header = "Shows the help of Perdure or of one command.",
        description = "The same as \"perdure COMMAND --help\".",
        helpCommand = true)
final class HelpCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "The command to help with, such as \"queue send\". Without it: all commands.")
    private List<String> command = List.of();

    HelpCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        CommandLine asked = spec.root().commandLine();
        for (String word : command) {
            CommandLine next = asked.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(asked, List.of(word));
            }
            asked = next;
        }
        asked.usage(terminal.out());
    }
}
