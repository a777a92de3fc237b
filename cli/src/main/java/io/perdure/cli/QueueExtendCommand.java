package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.QueueBounds;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perdure queue extend}: keeps received messages for longer. */
@Command(
        name = "extend",
        header = "Keeps messages for longer, by their receipts.",
        description = {
            "They are yours for so long from now, which may also be sooner than before. Each is kept on its own: one whose",
            "message went to another receiver is an error (PD-406), and the others are kept all the same."
        },
        footer = {"Examples:", "  perdure queue extend RECEIPT --by 5m"})
final class QueueExtendCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ReceiptsArgument receipts = new ReceiptsArgument();

    @Option(
            names = "--by",
            required = true,
            paramLabel = "TIME",
            description = "How long they are yours from now, such as 30s, 5m or 12h.")
    private Duration by = Duration.ZERO;

    QueueExtendCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        List<Receipt> asked = receipts.receipts();
        QueueBounds.lease(by);
        Settled<Instant> settled;
        try (Engine engine = where.open(terminal)) {
            settled = Settled.each(asked, receipt -> engine.extend(receipt, by));
        }
        format.print(terminal, json(settled), () -> settled.done().forEach(this::print));
        settled.requireAll("Not extended");
    }

    private void print(Receipt receipt, Instant until) {
        // Rounded down: whoever trusts it is never late.
        terminal.out()
                .println("Message " + receipt.message() + " is yours until " + until.truncatedTo(ChronoUnit.SECONDS)
                        + ".");
    }

    private static Map<String, Object> json(Settled<Instant> settled) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put(
                "extended",
                settled.done().entrySet().stream().map(QueueExtendCommand::json).toList());
        shown.put("lost", Settled.texts(settled.lost()));
        return shown;
    }

    private static Map<String, Object> json(Map.Entry<Receipt, Instant> extended) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("receipt", extended.getKey().toString());
        shown.put("leasedUntil", extended.getValue().toString());
        return shown;
    }
}
