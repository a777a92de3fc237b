package io.perdure.cli;

import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code perdure queue show}: one queue, its settings and how it stands. */
@Command(
        name = "show",
        header = "Shows a queue: how it stands, its dead letters, and its settings.",
        description = {
            "Ready is due, which includes what waits behind the head of its group, and what has expired until a receive",
            "or a sweep removes it; delayed is due later; leased is with a receiver."
        })
final class QueueShowCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "The queue; NAME.dlq for its dead letters.")
    private String name = "";

    QueueShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        where.with(name, terminal, engine -> {
            QueueStatus queue = engine.queue(name).status();
            Long dead = queue.name().holdsDeadLetters()
                    ? null
                    : Long.valueOf(engine.queue(name).deadLetters().count());
            Map<String, Object> shown = QueueText.json(queue);
            if (dead != null) {
                shown.put("deadLetters", dead);
            }
            format.print(terminal, shown, () -> print(queue, dead));
            return queue;
        });
    }

    private void print(QueueStatus queue, @Nullable Long dead) {
        QueueFigures figures = queue.figures();
        line("queue", name);
        line("ready", Units.count(figures.ready()));
        line("delayed", Units.count(figures.delayed()));
        line("leased", Units.count(figures.leased()));
        if (figures.oldest() != null) {
            line(
                    "oldest",
                    "ready since " + EventText.time(figures.oldest()) + ", for " + Age.textSince(figures.oldest()));
        }
        Labelled.printWrapped(terminal, "in all", QueueText.sinceCreated(figures));
        if (dead != null) {
            line("dead letters", Units.count(dead));
            QueueText.print(terminal, name, queue.settings());
            if (dead > 0) {
                terminal.out().println("Look at the dead letters:");
                terminal.out().println("  perdure dlq list " + name + where.repeated());
            }
        }
    }

    private void line(String label, String value) {
        Labelled.print(terminal, label, value);
    }
}
