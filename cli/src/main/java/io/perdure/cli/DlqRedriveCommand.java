package io.perdure.cli;

import io.perdure.core.queue.DeadLetters;
import io.perdure.core.queue.Redriven;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final Terminal terminal;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ChosenLetters chosen = new ChosenLetters();

    @Mixin
    private MatchOption match = new MatchOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    DlqRedriveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        chosen.requireOneWay(spec.commandLine(), match.isGiven(), "ID, --all or --match");
        // A bad value is wrong usage, which must not leave a new store behind.
        List<MessageId> ids = chosen.ids();
        Json part = match.part(terminal);
        chosen.letters().with(store, terminal, dead -> ids.isEmpty() ? redriveAll(dead, part) : redrive(dead, ids));
    }

    private long redrive(DeadLetters dead, List<MessageId> ids) {
        Redriven redriven = dead.redrive(ids);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("redriven", redriven.count());
        shown.put(
                "missing", redriven.missing().stream().map(MessageId::toString).toList());
        format.print(terminal, shown, () -> {
            if (redriven.count() > 0) {
                terminal.out().println(outcome(redriven.count()));
            }
        });
        chosen.requireNone(redriven.missing(), "Not put back");
        return redriven.count();
    }

    private long redriveAll(DeadLetters dead, @Nullable Json part) {
        long found = part == null ? dead.count() : dead.count(part);
        long redriven = chosen.yes() ? redriveAll(dead, part, found) : 0;
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("matched", found);
        shown.put("redriven", redriven);
        format.print(
                terminal,
                shown,
                () -> terminal.out().println(chosen.yes() ? outcome(redriven) : chosen.counted(found, "put back")));
        return redriven;
    }

    private long redriveAll(DeadLetters dead, @Nullable Json part, long found) {
        progress(0, found);
        LongConsumer progress = redriven -> progress(redriven, found);
        return part == null ? dead.redriveAll(progress) : dead.redriveAll(part, progress);
    }

    /** How far it is, on the side of errors: what is printed stays the answer. */
    private void progress(long sofar, long found) {
        if (format.isText()) {
            terminal.err()
                    .println(
                            sofar == 0
                                    ? DeadLettersArgument.letters(found) + " to put back ..."
                                    : Units.count(sofar) + " of " + Units.count(found) + " ...");
            terminal.err().flush();
        }
    }

    private String outcome(long redriven) {
        return "Put " + DeadLettersArgument.letters(redriven) + " back into "
                + chosen.letters().queue() + ".";
    }
}
