package io.perdure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure queue}: without a command it shows what there is. */
@Command(
        name = "queue",
        header = "Creates queues, sends messages to them, receives and settles them.",
        description = {
            "A queue holds messages until somebody has dealt with them. Who receives a message has it",
            "for a while; acknowledged in time it is gone, otherwise it is delivered again. What was given up",
            "is for \"perdure dlq\"."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "Examples:",
            "  perdure queue create mail",
            "  perdure queue send mail '{\"to\": \"a@b.c\"}'",
            "  perdure queue send mail --lines < messages.jsonl",
            "  perdure queue receive mail --wait 20s",
            "  perdure queue ack RECEIPT",
            "  perdure queue show mail",
            "  perdure queue list"
        })
final class QueueCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    QueueCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
    }
}
