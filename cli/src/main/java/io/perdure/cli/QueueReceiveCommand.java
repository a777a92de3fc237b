package io.perdure.cli;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perdure queue receive}: takes messages for a while, and says how to acknowledge them. */
@Command(
        name = "receive",
        header = "Receives messages; acknowledge them, or they are delivered again.",
        description = {
            "Each message is yours until the time that is shown. \"perdure queue ack RECEIPT\" says that you have",
            "dealt with it; without that it is delivered again, and given up when its deliveries are used up.",
            "\"queue retry\", \"reject\", \"extend\" and \"release\" take receipts too."
        },
        footer = {
            "Examples:",
            "  perdure queue receive mail --wait 20s",
            "  perdure queue receive mail --match '{\"kind\": \"invoice\"}'"
        })
final class QueueReceiveCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private MatchOption match = new MatchOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "The queue; NAME.dlq for its dead letters.")
    private String name = "";

    @Option(
            names = "--max",
            paramLabel = "NUMBER",
            description = "How many messages at most, 1 to 100. Without it: 10.")
    private @Nullable Integer max;

    @Option(
            names = "--visibility",
            paramLabel = "TIME",
            description = "How long they are yours, such as 30s or 5m. Without it: what the queue says.")
    private @Nullable Duration visibility;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "How long to wait for a first message, up to 20s. Without it: not at all.")
    private Duration wait = Duration.ZERO;

    QueueReceiveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        Receiving receiving = (max == null ? Receiving.defaults() : Receiving.upTo(max)).waiting(wait);
        Receiving held = visibility == null ? receiving : receiving.visibility(visibility);
        Json part = match.part(terminal);
        Receiving asked = part == null ? held : held.matching(part);
        List<Delivery> deliveries =
                where.with(name, terminal, engine -> engine.queue(name).receive(asked));
        format.print(terminal, deliveries.stream().map(MessageText::json).toList(), () -> print(deliveries));
    }

    private void print(List<Delivery> deliveries) {
        if (deliveries.isEmpty()) {
            terminal.out().println("No message is ready in " + name + (match.isGiven() ? " that matches." : "."));
            return;
        }
        deliveries.forEach(delivery -> MessageText.print(terminal, delivery));
        String receipts =
                deliveries.size() == 1 ? deliveries.getFirst().receipt().toString() : "RECEIPT...";
        terminal.out().println("When you have dealt with " + (deliveries.size() == 1 ? "it:" : "them:"));
        terminal.out().println("  perdure queue ack" + where.repeated() + " " + receipts);
    }
}
