package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.Receipt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure queue ack}: says that messages were dealt with. */
@Command(
        name = "ack",
        header = "Acknowledges messages by their receipts: they are gone for good.",
        description = {
            "A receipt names its message, so no queue is needed. Each is acknowledged on its own: one whose",
            "message went to another receiver is an error (PD-406), and the others are gone all the same."
        })
final class QueueAckCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ReceiptsArgument receipts = new ReceiptsArgument();

    QueueAckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<Receipt> asked = receipts.receipts();
        List<Receipt> lost;
        try (Engine engine = where.open(terminal)) {
            lost = engine.ackAll(asked);
        }
        int done = asked.size() - lost.size();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("acknowledged", done);
        shown.put("lost", Settled.texts(lost));
        format.print(terminal, shown, () -> {
            if (done > 0) {
                terminal.out().println("Acknowledged " + QueueText.messages(done) + ".");
            }
        });
        Settled.requireNone(lost, "Not acknowledged");
    }
}
