package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.queue.QueueStatus;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure queue list}: every queue and how it stands. */
@Command(
        name = "list",
        header = "Lists the queues and how they stand.",
        description = {
            "READY is due, which includes what waits behind the head of its group, and what has expired until a receive",
            "or a sweep removes it; DELAYED is due later, LEASED is with a receiver; OLDEST is for how long the first has",
            "been ready. NAME.dlq holds the messages that were given up. The json format shows the settings too."
        })
final class QueueListCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    QueueListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<QueueStatus> queues;
        try (Engine engine = where.open(terminal)) {
            queues = engine.queues();
        }
        format.print(terminal, queues.stream().map(QueueText::json).toList(), () -> print(queues));
    }

    private void print(List<QueueStatus> queues) {
        if (queues.isEmpty()) {
            terminal.out().println("There are no queues in " + where.shown(terminal) + ".");
            terminal.out().println("Create one:  perdure queue create NAME" + where.repeated());
            return;
        }
        TextTable table = new TextTable("QUEUE", "READY", "DELAYED", "LEASED", "OLDEST", "SINCE IT WAS CREATED");
        for (QueueStatus queue : queues) {
            Instant oldest = queue.figures().oldest();
            table.row(
                    queue.name().value(),
                    Units.count(queue.figures().ready()),
                    Units.count(queue.figures().delayed()),
                    Units.count(queue.figures().leased()),
                    oldest == null ? "" : Age.textSince(oldest),
                    QueueText.sinceCreated(queue.figures()));
        }
        table.print(terminal);
    }
}
