package io.perdure.cli;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.BulkAction;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure runs redrive}: puts failed runs back to work where they failed. */
@Command(
        name = "redrive",
        header = "Puts a failed run back to work where it failed, or all that match.",
        description = {
            "For when what made it fail is mended; \"perdure runs get\" says what that was. The history stays: steps"
                    + " that",
            "completed are not run again, and the attempts of the one that failed are counted anew.",
            "",
            "Instead of RUN, options say which ones. Then it only counts them, unless --yes is given. A run whose",
            "workflow id another run has by now is left as it is."
        },
        footer = {
            "Examples:",
            "  perdure runs redrive RUN --reason \"the bank is back\"",
            "  perdure runs redrive --workflow order --since 2026-05-01",
            "  perdure runs redrive --workflow order --since 2026-05-01 --yes"
        })
final class RunsRedriveCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ChosenRuns chosen = new ChosenRuns();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    RunsRedriveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        BulkRuns bulk = new BulkRuns(terminal, where, format, BulkAction.REDRIVE);
        chosen.one(spec.commandLine(), BulkAction.REDRIVE)
                .ifPresentOrElse(run -> redrive(run, bulk), () -> bulk.all(chosen));
    }

    private void redrive(RunId run, BulkRuns bulk) {
        where.withRunOf(terminal, engine -> {
            engine.redrive(run, chosen.reason());
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", run.toString());
            shown.put("status", engine.run(run).status().word());
            format.print(terminal, shown, () -> bulk.printDue(run, ""));
        });
    }
}
