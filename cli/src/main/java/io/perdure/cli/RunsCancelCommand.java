package io.perdure.cli;

import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.BulkAction;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ChosenRuns chosen = new ChosenRuns();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    RunsCancelCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        chosen.one(spec.commandLine(), BulkAction.CANCEL)
                .ifPresentOrElse(
                        this::cancel, () -> new BulkRuns(terminal, where, format, BulkAction.CANCEL).all(chosen));
    }

    private void cancel(RunId run) {
        where.withRunOf(terminal, engine -> {
            boolean changed = engine.cancel(run, chosen.reason());
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", run.toString());
            shown.put("status", RunStatus.CANCELLED.word());
            shown.put("changed", changed);
            format.print(terminal, shown, () -> {
                terminal.out()
                        .println(
                                changed
                                        ? "Cancelled run " + run + "."
                                        : "Nothing was done: run " + run + " was cancelled before.");
                terminal.out().println("What it did until then:  perdure runs get" + where.repeated() + " " + run);
            });
        });
    }
}
