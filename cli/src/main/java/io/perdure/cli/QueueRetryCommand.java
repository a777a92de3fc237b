package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueBounds;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perdure queue retry}: gives messages back, to be delivered again. */
@Command(
        name = "retry",
        header = "Gives messages back by their receipts, to be delivered again.",
        description = {
            "A message that has used up its deliveries goes to the dead letters instead, or is deleted where its queue",
            "keeps none. Each is given back on its own: one whose message went to another receiver is an error",
            "(PD-406), and the others are given back all the same."
        },
        footer = {"Examples:", "  perdure queue retry RECEIPT --delay 5m --error \"the mail server was down\""})
final class QueueRetryCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ReceiptsArgument receipts = new ReceiptsArgument();

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            description = "Delivers them again after so long, such as 30s, 5m or 12h. Without it: at once.")
    private Duration delay = Duration.ZERO;

    @Option(
            names = "--error",
            paramLabel = "TEXT",
            description = "Why, for whoever looks at the message later. Without it: nothing is said.")
    private String error = "";

    QueueRetryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        List<Receipt> asked = receipts.receipts();
        QueueBounds.delay(delay);
        Settled<Fate> settled;
        try (Engine engine = where.open(terminal)) {
            settled = Settled.each(asked, receipt -> engine.retry(receipt, delay, error));
        }
        FateText.tell(terminal, format, settled, "Not given back", Fate.RETRIED, Fate.DEAD_LETTERED, Fate.DROPPED);
    }
}
