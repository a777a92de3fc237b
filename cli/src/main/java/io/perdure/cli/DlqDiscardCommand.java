package io.perdure.cli;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Discarded;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure dlq discard}: lets dead letters go. */
@Command(
        name = "discard",
        header = "Deletes dead letters, by their ids or all of them.",
        description = {
            "With --all it only counts them, unless --yes is given. Each ID is deleted on its own: one that is not there is",
            "an error (PD-403), and the others are gone all the same."
        },
        footer = {
            "Examples:",
            "  perdure dlq discard mail ID",
            "  perdure dlq discard mail --all",
            "  perdure dlq discard mail --all --yes"
        })
final class DlqDiscardCommand implements Runnable {
    private static final LettersReport.Words WORDS =
            new LettersReport.Words("discarded", "Deleted %s of %s.", "deleted for good", "Not deleted");

    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ChosenLetters chosen = new ChosenLetters();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    DlqDiscardCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        chosen.requireOneWay(spec.commandLine(), false, "ID or --all");
        List<MessageId> ids = chosen.ids();
        chosen.letters().with(where, terminal, dead -> ids.isEmpty() ? discardAll(dead) : discard(dead, ids));
    }

    private long discard(DeadLetters dead, List<MessageId> ids) {
        Discarded discarded = dead.discard(ids);
        return report().named(discarded.count(), discarded.missing());
    }

    private long discardAll(DeadLetters dead) {
        long found = dead.count();
        return report().all(found, chosen.yes() ? dead.discardAll() : 0);
    }

    private LettersReport report() {
        return new LettersReport(terminal, format, chosen, WORDS);
    }
}
