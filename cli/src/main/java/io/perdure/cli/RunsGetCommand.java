package io.perdure.cli;

import io.perdure.core.store.RunRow;
import io.perdure.core.workflow.StepInfo;
import io.perdure.sdk.history.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code perdure runs get}: one run, with its steps. */
@Command(
        name = "get",
        header = "Shows a run: where it stands, what it was given, and its steps.",
        description = "BEGAN counts from the run's start. TOOK is the attempt that returned, the sleep, or the wait.")
final class RunsGetCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    RunsGetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        store.withRun(id, terminal, run -> {
            RunRow row = run.info();
            List<StepInfo> steps = run.steps();
            format.print(terminal, RunText.json(row, steps), () -> print(row, steps));
        });
    }

    private void print(RunRow row, List<StepInfo> steps) {
        RunText.lines(row).forEach((label, value) -> Labelled.print(terminal, label, value));
        if (!steps.isEmpty()) {
            terminal.out().println();
            print(row.startedAt(), steps);
        }
        if (row.status() == RunStatus.PARKED) {
            terminal.out().println();
            terminal.out().println("Once that is mended:  perdure runs resume" + store.repeated() + " " + row.id());
        }
    }

    private void print(Instant start, List<StepInfo> steps) {
        TextTable table = new TextTable("STEP", "ATTEMPTS", "BEGAN", "TOOK", "WHAT CAME OF IT");
        for (StepInfo step : steps) {
            table.row(
                    step.name().value(),
                    step.kind() == StepInfo.Kind.STEP ? Units.count(step.attempts()) : "",
                    step.startedAt() == null ? "" : RunText.seconds(Duration.between(start, step.startedAt())),
                    step.took().map(RunText::seconds).orElse(""),
                    Failures.harmless(RunText.outcome(step)));
        }
        table.print(terminal);
    }
}
