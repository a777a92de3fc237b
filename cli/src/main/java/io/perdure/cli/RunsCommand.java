package io.perdure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure runs}: without a command it shows what there is. */
@Command(
        name = "runs",
        header = "Starts runs of workflows, follows them and talks to them.",
        description = {
            "A run is one execution of a workflow. These commands only talk to the store: a run is worked on by",
            "the processes that have registered the workflow's code."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "Examples:",
            "  perdure runs start order '{\"item\": \"lamp\"}' --key o-17",
            "  perdure runs start order --wait 30s",
            "  perdure runs list --workflow order --status failed --since 2026-05-01",
            "  perdure runs get RUN",
            "  perdure runs history RUN",
            "  perdure runs watch RUN --timeout 5m",
            "  perdure runs signal RUN approval '{\"by\": \"ann\"}' --dedup mail-17",
            "  perdure runs cancel RUN --reason \"ordered twice\"",
            "  perdure runs cancel --workflow order --tag shop=ulm --yes",
            "  perdure runs count",
            "  perdure runs list --status parked",
            "  perdure runs resume RUN --reason \"code mended\"",
            "  perdure runs redrive --workflow order --since 2026-05-01 --yes",
            "  perdure runs check RUN --to 2 --classes app.jar --definitions com.example.Orders",
            "  perdure runs move RUN --to 2 --classes app.jar --definitions com.example.Orders",
            "  perdure runs recover"
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
