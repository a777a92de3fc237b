package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perdure queue reject}: gives messages up before their deliveries are used up. */
@Command(
        name = "reject",
        header = "Gives messages up by their receipts: they become dead letters.",
        description = {
            "Where a queue keeps no dead letters they are deleted. Each is given up on its own: one whose message",
            "went to another receiver is an error (PD-406), and the others are given up all the same."
        },
        footer = {"Examples:", "  perdure queue reject RECEIPT --error \"there is no such customer\""})
final class QueueRejectCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ReceiptsArgument receipts = new ReceiptsArgument();

    @Option(
            names = "--error",
            paramLabel = "TEXT",
            description = "Why, for whoever looks at the dead letter. Without it: nothing is said.")
    private String error = "";

    QueueRejectCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<Receipt> asked = receipts.receipts();
        Settled<Fate> settled;
        try (Engine engine = where.open(terminal)) {
            settled = Settled.each(asked, receipt -> engine.reject(receipt, error));
        }
        FateText.tell(terminal, format, settled, "Not given up", Fate.DEAD_LETTERED, Fate.DROPPED);
    }
}
