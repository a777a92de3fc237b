package io.perdure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure workers}: without a command it shows what there is. */
@Command(
        name = "workers",
        header = "Shows who works on runs.",
        description = {
            "A worker is a process that has registered the code of workflows and was started. It says every few"
                    + " seconds",
            "that it is alive; one that has not for a while counts as gone."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {"Examples:", "  perdure workers list", "  perdure workers list --format json"})
final class WorkersCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    WorkersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
    }
}
