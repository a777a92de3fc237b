package io.perdure.cli;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.BulkAction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code perdure runs resume}: puts parked runs back to work. */
@Command(
        name = "resume",
        header = "Puts a parked run back to work, or all that match.",
        description = {
            "For when what it was parked for is mended; \"perdure runs get\" says what that was. The run is due at",
            "once, and goes on from its history in whichever process has the code of its version.",
            "",
            "Instead of RUN, options say which ones. Then it only counts them, unless --yes is given."
        },
        footer = {
            "Examples:",
            "  perdure runs resume RUN --reason \"code mended\"",
            "  perdure runs resume --workflow order",
            "  perdure runs resume --workflow order --yes"
        })
final class RunsResumeCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ChosenRuns chosen = new ChosenRuns();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--workflow-version",
            paramLabel = "NUMBER",
            description = {
                "With RUN: the version of its workflow to go on with, whose code must fit what the run has recorded;",
                "\"perdure runs move\" looks first whether it does. Without it: its own."
            })
    private @Nullable Integer version;

    RunsResumeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        Optional<RunId> one = chosen.one(spec.commandLine(), BulkAction.RESUME);
        if (version != null) {
            MoveOption.requireVersion(version);
            if (one.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "--workflow-version is for one run; name it, or leave the option out");
            }
        }
        BulkRuns bulk = new BulkRuns(terminal, where, format, BulkAction.RESUME);
        one.ifPresentOrElse(run -> resume(run, bulk), () -> bulk.all(chosen));
    }

    private void resume(RunId run, BulkRuns bulk) {
        where.withRunOf(terminal, engine -> {
            if (version == null) {
                engine.resume(run, chosen.reason());
            } else {
                engine.resume(run, chosen.reason(), version);
            }
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", run.toString());
            shown.put("status", engine.run(run).status().word());
            if (version != null) {
                shown.put("version", version);
            }
            format.print(terminal, shown, () -> bulk.printDue(run, version == null ? "" : " with version " + version));
        });
    }
}
