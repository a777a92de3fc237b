package io.perdure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure runs}: without a command it shows what there is. */
@Command(
        name = "runs",
        header = "Starts runs of workflows, shows them and follows them.",
        description = {
            "A run is one execution of a workflow. These commands only talk to the store: a run is worked on by",
            "the processes that have registered the workflow's code."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "Examples:",
            "  perdure runs start order '{\"item\": \"lamp\"}' --key o-17",
            "  perdure runs start order --wait 30s",
            "  perdure runs get ID",
            "  perdure runs history ID",
            "  perdure runs watch ID --timeout 5m"
        })
final class RunsCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    RunsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
    }
}
