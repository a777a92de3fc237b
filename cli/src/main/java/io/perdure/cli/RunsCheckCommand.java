package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Fit;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code perdure runs check}: whether a run could go on with another version of its workflow. */
@Command(
        name = "check",
        header = "Says whether a run could go on with another version of its workflow.",
        description = {
            "Loads that version's code and replays the history of the run with it, which is running or parked. Nothing",
            "is changed, and no step is run. Exit code 1 (PD-315) where it does not fit; the message says where."
        },
        footer = {
            "Examples:",
            "  perdure runs check RUN --to 2 --classes app.jar --definitions com.example.Orders",
            "  perdure runs check RUN --to 2 --classes target/classes:lib/money.jar --definitions com.example.Orders"
        })
final class RunsCheckCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private MoveOption move = new MoveOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    RunsCheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        RunId run = move.run();
        int version = move.version();
        if (!move.hasCode(spec.commandLine())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Say where the code of version " + version + " is: --classes and --definitions");
        }
        move.with(where, terminal, engine -> print(engine.operations().check(run, version)));
    }

    private void print(Fit fit) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", fit.run().toString());
        shown.put("workflow", fit.workflow().value());
        shown.put("version", fit.version());
        shown.put("fits", fit.fits());
        shown.put("detail", fit.detail());
        format.print(terminal, shown, () -> {
            if (fit.fits()) {
                terminal.out()
                        .println(Failures.harmless(RunText.oneLine("Run %s fits %s@%s: next, it %s."
                                .formatted(fit.run(), fit.workflow(), fit.version(), fit.detail()))));
                terminal.out().println("Move it:  perdure runs move" + move.repeated(where));
            }
        });
        if (!fit.fits()) {
            throw new RefusedException(
                    ErrorCode.DOES_NOT_FIT,
                    "Run %s cannot go on with %s@%s: %s"
                            .formatted(fit.run(), fit.workflow(), fit.version(), fit.detail()));
        }
    }
}
