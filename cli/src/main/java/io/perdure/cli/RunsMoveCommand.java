package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Fit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code perdure runs move}: has a run go on with another version of its workflow. */
@Command(
        name = "move",
        header = "Has a run go on with another version of its workflow.",
        description = {
            "With --classes and --definitions it looks first whether that version's code fits what the run has"
                    + " recorded,",
            "as \"perdure runs check\" does, and moves only a run that fits, be it running or parked.",
            "",
            "Without them only a parked run is moved. The worker that takes it up looks first whether it fits: where"
                    + " it",
            "does not, the run is parked again, and nothing new was done."
        },
        footer = {
            "Examples:",
            "  perdure runs move RUN --to 2 --classes app.jar --definitions com.example.Orders",
            "  perdure runs move RUN --to 2 --reason \"version 1 is retired\""
        })
final class RunsMoveCommand implements Runnable {
    private static final String LOOKED_AT_LATER =
            "The worker that takes it up looks first whether it fits; where it does not, it is parked again.";

    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private MoveOption move = new MoveOption();

    @Mixin
    private ReasonOption reason = new ReasonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    RunsMoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        RunId run = move.run();
        int version = move.version();
        if (move.hasCode(spec.commandLine())) {
            move.with(where, terminal, engine -> {
                Fit fit = engine.operations().move(run, version, reason.text());
                print(engine, run, fit);
            });
        } else {
            where.withRunOf(terminal, engine -> {
                resume(engine, run, version);
                print(engine, run, null);
            });
        }
    }

    private void resume(Engine engine, RunId run, int version) {
        try {
            engine.resume(run, reason.text(), version);
        } catch (RefusedException e) {
            throw e.code() == ErrorCode.NOT_ALLOWED
                    ? new RefusedException(
                            e.code(),
                            e.what() + " With --classes and --definitions, \"runs move\" moves one that is running.",
                            e)
                    : e;
        }
    }

    /** Says what was done; without a fit nobody has looked whether the run fits. */
    private void print(Engine engine, RunId run, @Nullable Fit fit) {
        String workflow = engine.run(run).info().workflow().value();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", run.toString());
        shown.put("workflow", workflow);
        shown.put("version", move.version());
        shown.put("checked", fit != null);
        if (fit != null) {
            shown.put("detail", fit.detail());
        }
        format.print(terminal, shown, () -> {
            terminal.out().println("Moved run %s to %s@%s: it is due now.".formatted(run, workflow, move.version()));
            terminal.out()
                    .println(
                            fit == null
                                    ? LOOKED_AT_LATER
                                    : Failures.harmless(RunText.oneLine("It fits: next, it " + fit.detail() + ".")));
            terminal.out().println("Follow it:  perdure runs watch" + where.repeated() + " " + run);
        });
    }
}
