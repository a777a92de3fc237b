package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure queue release}: gives messages back that nobody has begun to deal with. */
@Command(
        name = "release",
        header = "Gives messages back by their receipts, as if they had not been delivered.",
        description = {
            "They are ready at once, and the delivery does not count. Each is given back on its own: one whose message",
            "went to another receiver is an error (PD-406), and the others are given back all the same."
        })
final class QueueReleaseCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ReceiptsArgument receipts = new ReceiptsArgument();

    QueueReleaseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<Receipt> asked = receipts.receipts();
        Settled<Fate> settled;
        try (Engine engine = where.open(terminal)) {
            settled = Settled.each(asked, receipt -> {
                engine.release(receipt);
                return Fate.RELEASED;
            });
        }
        FateText.tell(terminal, format, settled, "Not given back", Fate.RELEASED);
    }
}
