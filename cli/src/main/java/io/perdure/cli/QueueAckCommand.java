package io.perdure.cli;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.Receipt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(
            arity = "1..*",
            paramLabel = "RECEIPT",
            description = "Receipts, as \"perdure queue receive\" showed them.")
    private List<String> receipts = List.of();

    QueueAckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<Receipt> asked = receipts.stream().map(Receipt::parse).distinct().toList();
        List<Receipt> lost;
        try (Perdure perdure = store.open(terminal)) {
            lost = perdure.ackAll(asked);
        }
        int done = asked.size() - lost.size();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("acknowledged", done);
        shown.put("lost", lost.stream().map(Receipt::toString).toList());
        format.print(terminal, shown, () -> {
            if (done > 0) {
                terminal.out().println("Acknowledged " + QueueText.messages(done) + ".");
            }
        });
        if (!lost.isEmpty()) {
            throw new RefusedException(ErrorCode.LEASE_LOST, "Not acknowledged: " + messages(lost) + ".");
        }
    }

    private static String messages(List<Receipt> receipts) {
        return receipts.stream()
                .map(receipt -> receipt.message().toString())
                .collect(Collectors.joining(", ", receipts.size() == 1 ? "message " : "messages ", ""));
    }
}
