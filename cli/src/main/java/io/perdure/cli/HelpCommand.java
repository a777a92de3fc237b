package io.perdure.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
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
            index = "0",
            arity = "0..1",
            paramLabel = "COMMAND",
            description = "The command to help with. Without it: all commands.")
    private @Nullable String command;

    HelpCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        CommandLine asked = command == null ? root : root.getSubcommands().get(command);
        if (asked == null) {
            throw new UnmatchedArgumentException(root, List.of(String.valueOf(command)));
        }
        asked.usage(terminal.out());
    }
}
