package io.perdure.cli;

import io.perdure.sdk.queue.MessageQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perdure queue purge}: deletes the messages of a queue. */
@Command(
        name = "purge",
        header = "Deletes all messages of a queue, those with a receiver too.",
        description = {
            "It only counts them, unless --yes is given. The queue stays, and so do its dead letters: NAME.dlq names",
            "those. What is sent meanwhile may stay too."
        },
        footer = {"Examples:", "  perdure queue purge mail", "  perdure queue purge mail --yes"})
final class QueuePurgeCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "The queue; NAME.dlq for its dead letters.")
    private String name = "";

    @Option(names = "--yes", description = "Deletes them. Without it they are only counted.")
    private boolean yes;

    QueuePurgeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        where.with(name, terminal, engine -> {
            MessageQueue queue = engine.queue(name);
            long found = queue.status().figures().depth();
            long deleted = yes ? queue.purge() : 0;
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("matched", found);
            shown.put("deleted", deleted);
            format.print(terminal, shown, () -> terminal.out().println(yes ? outcome(deleted) : counted(found)));
            return deleted;
        });
    }

    private String counted(long found) {
        return found == 0
                ? "There is no message in " + name + "."
                : QueueText.messages(found) + " of " + name + " would be deleted for good. To do so, add --yes.";
    }

    private String outcome(long deleted) {
        return "Deleted " + QueueText.messages(deleted) + " of " + name + ".";
    }
}
