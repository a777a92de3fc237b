package io.perdure.cli;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Redriven;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure dlq redrive}: puts dead letters back into the queue that gave them up. */
@Command(
        name = "redrive",
        header = "Puts dead letters back into their queue, to be delivered again.",
        description = {
            "They join it at the end, with all their deliveries before them. By --all or --match it only counts them,",
            "unless --yes is given. Each ID is put back on its own: one that is not there is an error (PD-403), and the",
            "others are put back all the same."
        },
        footer = {
            "Examples:",
            "  perdure dlq redrive mail ID",
            "  perdure dlq redrive mail --match '{\"kind\": \"invoice\"}'",
            "  perdure dlq redrive mail --all --yes"
        })
final class DlqRedriveCommand implements Runnable {
    private static final LettersReport.Words WORDS =
            new LettersReport.Words("redriven", "Put %s back into %s.", "put back", "Not put back");

    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ChosenLetters chosen = new ChosenLetters();

    @Mixin
    private MatchOption match = new MatchOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** How many are known to be put back by whoever watches. */
    private long told;

    DlqRedriveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        chosen.requireOneWay(spec.commandLine(), match.isGiven(), "ID, --all or --match");
        // A bad value is wrong usage, which must not leave a new store behind.
        List<MessageId> ids = chosen.ids();
        Json part = match.part(terminal);
        chosen.letters().with(where, terminal, dead -> ids.isEmpty() ? redriveAll(dead, part) : redrive(dead, ids));
    }

    private long redrive(DeadLetters dead, List<MessageId> ids) {
        Redriven redriven = dead.redrive(ids);
        return report().named(redriven.count(), redriven.missing());
    }

    private long redriveAll(DeadLetters dead, @Nullable Json part) {
        long found = part == null ? dead.count() : dead.count(part);
        return report().all(found, chosen.yes() ? redriveAll(dead, part, found) : 0);
    }

    private long redriveAll(DeadLetters dead, @Nullable Json part, long found) {
        if (found > 0) {
            tell(DeadLettersArgument.letters(found) + " to put back ...");
        }
        LongConsumer progress = redriven -> progress(redriven, found);
        return part == null ? dead.redriveAll(progress) : dead.redriveAll(part, progress);
    }

    /** Tells how far it is where it has come further; the end is told by the answer. */
    private void progress(long redriven, long found) {
        if (redriven > told && redriven < found) {
            told = redriven;
            tell(Units.count(redriven) + " of " + Units.count(found) + " ...");
        }
    }

    /** On the side of errors: what is printed stays the answer. */
    private void tell(String line) {
        if (format.isText()) {
            terminal.err().println(line);
            terminal.err().flush();
        }
    }

    private LettersReport report() {
        return new LettersReport(terminal, format, chosen, WORDS);
    }
}
