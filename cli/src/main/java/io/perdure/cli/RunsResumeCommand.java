package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.RunId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perdure runs resume}: puts a parked run back to work. */
@Command(
        name = "resume",
        header = "Puts a parked run back to work.",
        description = {
            "For when what it was parked for is mended; \"perdure runs get\" says what that was. The run is due at",
            "once, and goes on from its history in whichever process has the code of its version."
        })
final class RunsResumeCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for whoever reads the run's history. Without it: \"on the command line\".")
    private String reason = "on the command line";

    @Option(
            names = "--workflow-version",
            paramLabel = "NUMBER",
            description = {
                "The version of its workflow to go on with, whose code must fit what the run has recorded.",
                "Without it: its own."
            })
    private @Nullable Integer version;

    RunsResumeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        RunId run = RunId.parse(id);
        if (version != null && version < 1) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "A workflow's version is " + version + ", below 1.");
        }
        store.withRunOf(terminal, perdure -> {
            if (version == null) {
                perdure.resume(run, reason);
            } else {
                perdure.resume(run, reason, version);
            }
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", run.toString());
            shown.put("status", perdure.run(run).status().word());
            if (version != null) {
                shown.put("version", version);
            }
            format.print(terminal, shown, () -> print(run));
        });
    }

    private void print(RunId run) {
        terminal.out()
                .println("Resumed run " + run + (version == null ? "" : " with version " + version)
                        + ": it is due now.");
        terminal.out().println("Follow it:  perdure runs watch" + store.repeated() + " " + run);
    }
}
