package io.perdure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure dlq}: without a command it shows what there is. */
@Command(
        name = "dlq",
        header = "Looks at the dead letters of a queue, redrives or discards them.",
        description = {
            "A message becomes a dead letter when a receiver rejects it, or when it has used up its deliveries.",
            "Dead letters are kept in NAME.dlq until they are redriven, discarded or out of their retention."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "Examples:",
            "  perdure dlq list mail",
            "  perdure dlq show mail ID",
            "  perdure dlq redrive mail ID",
            "  perdure dlq redrive mail --match '{\"kind\": \"invoice\"}' --yes",
            "  perdure dlq discard mail --all --yes"
        })
final class DlqCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    DlqCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
    }
}
