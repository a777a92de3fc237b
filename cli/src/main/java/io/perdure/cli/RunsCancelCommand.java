package io.perdure.cli;

import io.perdure.core.Perdure;
import io.perdure.core.workflow.BulkAction;
import io.perdure.core.workflow.BulkProgress;
import io.perdure.core.workflow.RunFilter;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code perdure runs cancel}: ends a run, or many, before their time. */
@Command(
        name = "cancel",
        header = "Cancels a run that is running or parked, or all that match.",
        description = {
            "When the command is done, the run is cancelled for good, and goes no further than the step that is",
            "under way. The worker that has it interrupts that step; what it still does is not recorded.",
            "Nothing is taken back: what the run's steps did stays as it is.",
            "",
            "Instead of RUN, options say which ones. Then it only counts them, unless --yes is given."
        },
        footer = {
            "Examples:",
            "  perdure runs cancel RUN --reason \"ordered twice\"",
            "  perdure runs cancel --workflow order --tag customer=ann",
            "  perdure runs cancel --workflow order --tag customer=ann --yes"
        })
final class RunsCancelCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private FilterOption filter = new FilterOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", arity = "0..1", paramLabel = "RUN", description = "The run's id.")
    private @Nullable String id;

    @Option(names = "--all", description = "All runs that are running or parked, of every workflow.")
    private boolean all;

    @Option(names = "--yes", description = "Cancels them. Without it they are only counted. Not needed with RUN.")
    private boolean yes;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for whoever reads the run's history. Without it: \"on the command line\".")
    private String reason = "on the command line";

    RunsCancelCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        RunFilter asked = filter.filter();
        boolean many = all || !filter.isEmpty();
        if (all && !filter.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--all is all runs; leave the other options out");
        }
        if (many == (id != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    many
                            ? "Name a run, or say by options which ones; not both"
                            : "Name a run, or say by options which ones; --all is all of them");
        }
        if (id == null) {
            BulkAction.CANCEL.require(asked);
            cancelAll(asked);
        } else {
            cancel(RunId.parse(id));
        }
    }

    private void cancel(RunId run) {
        store.withRunOf(terminal, perdure -> {
            boolean changed = perdure.cancel(run, reason);
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", run.toString());
            shown.put("status", RunStatus.CANCELLED.word());
            shown.put("changed", changed);
            format.print(
                    terminal,
                    shown,
                    () -> terminal.out()
                            .println(
                                    changed
                                            ? "Cancelled run " + run + "."
                                            : "Nothing was done: run " + run + " was cancelled before."));
        });
    }

    private void cancelAll(RunFilter asked) {
        try (Perdure perdure = store.open(terminal)) {
            BulkProgress done = yes
                    ? perdure.operations().inBulk(BulkAction.CANCEL, asked, reason, this::progress)
                    : new BulkProgress(perdure.operations().count(BulkAction.CANCEL, asked), 0, 0);
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("matched", done.matched());
            shown.put("cancelled", done.done());
            shown.put("missed", done.missed());
            format.print(terminal, shown, () -> terminal.out().println(yes ? outcome(done) : counted(done)));
        }
    }

    /** How far it is, on the side of errors: what is printed stays the answer. */
    private void progress(BulkProgress sofar) {
        if (format.isText()) {
            terminal.err()
                    .println(
                            sofar.done() + sofar.missed() == 0
                                    ? runs(sofar.matched()) + " to cancel ..."
                                    : Units.count(sofar.done()) + " of " + Units.count(sofar.matched()) + " ...");
            terminal.err().flush();
        }
    }

    private static String runs(long count) {
        return Units.count(count) + (count == 1 ? " run" : " runs");
    }

    private static String counted(BulkProgress found) {
        return found.matched() == 0
                ? "No run that is running or parked matches."
                : runs(found.matched()) + " would be cancelled. To do so, add --yes.";
    }

    private static String outcome(BulkProgress done) {
        String missed = done.missed() == 0 ? "" : " " + Units.count(done.missed()) + " ended before.";
        return "Cancelled " + runs(done.done()) + "." + missed;
    }
}
