package io.perdure.cli;

import io.perdure.core.queue.Delivery;
import io.perdure.core.queue.Receiving;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.util.RawValue;

/** {@code perdure queue receive}: takes messages for a while, and says how to acknowledge them. */
@Command(
        name = "receive",
        header = "Receives messages; acknowledge them, or they are delivered again.",
        description = {
            "Each message is yours until the time that is shown. \"perdure queue ack RECEIPT\" says that you have",
            "dealt with it; without that it is delivered again, and given up when its deliveries are used up."
        })
final class QueueReceiveCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

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
        Receiving asked = visibility == null ? receiving : receiving.visibility(visibility);
        List<Delivery> deliveries =
                store.with(name, terminal, perdure -> perdure.queue(name).receive(asked));
        format.print(
                terminal, deliveries.stream().map(QueueReceiveCommand::json).toList(), () -> print(deliveries));
    }

    private void print(List<Delivery> deliveries) {
        if (deliveries.isEmpty()) {
            terminal.out().println("No message is ready in " + name + ".");
            return;
        }
        deliveries.forEach(this::print);
        String receipts =
                deliveries.size() == 1 ? deliveries.getFirst().receipt().toString() : "RECEIPT...";
        terminal.out().println("When you have dealt with " + (deliveries.size() == 1 ? "it:" : "them:"));
        terminal.out().println("  perdure queue ack" + store.repeated() + " " + receipts);
    }

    private void print(Delivery delivery) {
        line("message", delivery.id().toString());
        line("body", delivery.body().text());
        delivery.headers().forEach((header, value) -> line("header", header + "=" + value));
        delivery.group().ifPresent(group -> line("group", group.value()));
        line("attempts", Integer.toString(delivery.attempts()));
        delivery.lastError().ifPresent(error -> line("last error", error));
        // Rounded down: whoever trusts it is never late.
        line(
                "yours until",
                delivery.leasedUntil().truncatedTo(ChronoUnit.SECONDS).toString());
        line("receipt", delivery.receipt().toString());
        terminal.out().println();
    }

    private void line(String label, String value) {
        String oneLine = value.replaceAll("\\s*\\R\\s*", " ");
        terminal.out().println(Failures.harmless(String.format(Locale.ROOT, "%-12s %s", label, oneLine)));
    }

    private static Map<String, Object> json(Delivery delivery) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", delivery.id().toString());
        // As it was sent: parsing and writing it again would change the digits of numbers.
        shown.put("body", new RawValue(delivery.body().text()));
        shown.put("headers", delivery.headers());
        delivery.group().ifPresent(group -> shown.put("group", group.value()));
        shown.put("attempts", delivery.attempts());
        delivery.lastError().ifPresent(error -> shown.put("lastError", error));
        shown.put("sentAt", delivery.sentAt().toString());
        shown.put("leasedUntil", delivery.leasedUntil().toString());
        shown.put("receipt", delivery.receipt().toString());
        return shown;
    }
}
