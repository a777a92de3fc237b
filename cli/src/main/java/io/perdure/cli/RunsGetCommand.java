package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.StepInfo;
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
        description = {
            "BEGAN counts from the run's start. TOOK is the attempt that returned, the sleep, or the wait. Below the",
            "steps is the stack trace of what the run, or a step that is tried again, failed with."
        })
final class RunsGetCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    RunsGetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad id is wrong usage, which must not leave a new store behind.
        RunId asked = RunId.parse(id);
        where.withRunOf(terminal, engine -> {
            Run<Json> run = engine.run(asked);
            RunInfo row = run.info();
            Attendance attendance = new Attendance(engine.operations().workers());
            List<StepInfo> steps;
            try {
                steps = run.steps();
            } catch (UnreadableHistoryException e) {
                if (e.code() != ErrorCode.HISTORY_TOO_LARGE) {
                    throw e;
                }
                printWithoutSteps(row, attendance, e);
                return;
            }
            List<StepInfo> shown = steps;
            format.print(terminal, RunText.json(row, attendance, shown), () -> {
                print(row, shown);
                printNext(row, attendance);
            });
        });
    }

    /** A run that is too large to be read is parked for it, and the caller wants to know why. */
    private void printWithoutSteps(RunInfo row, Attendance attendance, UnreadableHistoryException why) {
        format.print(terminal, RunText.json(row, attendance), () -> {
            print(row, List.of());
            terminal.out().println();
            terminal.out().println("Its steps are not shown. " + why.getMessage());
            printNext(row, attendance);
        });
    }

    private void print(RunInfo row, List<StepInfo> steps) {
        RunText.lines(row).forEach((label, value) -> Labelled.print(terminal, label, value));
        if (!steps.isEmpty()) {
            terminal.out().println();
            print(row.startedAt(), steps);
        }
        Failure error = row.error();
        if (error != null) {
            printStackTrace("Stack trace of the error:", error);
        }
        for (StepInfo step : steps) {
            Failure failure = step.failure();
            if (failure != null && step.endedAt() == null && !failure.equals(error)) {
                printStackTrace("Stack trace of step %s:".formatted(step.name()), failure);
            }
        }
    }

    private void printStackTrace(String heading, Failure failure) {
        List<String> lines = EventText.stackTrace(failure);
        if (!lines.isEmpty()) {
            terminal.out().println();
            terminal.out().println(heading);
            lines.forEach(terminal.out()::println);
        }
    }

    /** What somebody has to do for the run to go on, if it takes somebody. */
    private void printNext(RunInfo row, Attendance attendance) {
        if (row.status() == RunStatus.PARKED || row.status() == RunStatus.FAILED) {
            String verb = row.status() == RunStatus.PARKED ? "resume" : "redrive";
            terminal.out().println();
            terminal.out().println("Once that is mended:  perdure runs " + verb + where.repeated() + " " + row.id());
        }
        if (attendance.isMissedBy(row)) {
            terminal.out().println();
            terminal.out().println(attendance.missedBy(row));
            terminal.out()
                    .println("Start a process with that code; who works now:  perdure workers list" + where.repeated());
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
