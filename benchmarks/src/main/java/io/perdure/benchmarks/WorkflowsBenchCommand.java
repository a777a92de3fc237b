package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code perdure bench workflows}: what runs get done in a second, what a step and a signal take, how late a sleeper goes on. */
@Command(
        name = "workflows",
        header = "Measures workflows: runs in a second, the time of a run, a step and a signal, sleepers.",
        description = {
            "Writes to a folder of its own in --folder and removes it afterwards. Use a folder on the disk",
            "that you want to know about: in memory a flush costs nothing. Without --store it measures",
            "sqlite. With 10 seconds a figure that takes 9 minutes, on Postgres 11."
        })
final class WorkflowsBenchCommand implements Runnable {
    private static final int LONGEST_SECONDS = 3_600;
    private static final int MOST_STEPS = 10_000;
    private static final int MOST_CONCURRENT = 1_000_000;
    private static final long MOST_FINISHED = 1_000_000_000;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--steps",
            paramLabel = "K",
            defaultValue = "3",
            description = "How many steps a run has (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "2500",
            description = {
                "How many runs are worked on at once, where all are started at once",
                "(default: ${DEFAULT-VALUE}). An engine that is told nothing takes 1000."
            })
    private int concurrency;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "How long each run of a figure lasts at least (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--finished",
            paramLabel = "N",
            defaultValue = "0",
            description = {
                "Measures only runs that are all started at once, in an empty store",
                "and in one that has so many finished runs already."
            })
    private long finished;

    @Mixin
    private FormatOption format = new FormatOption();

    WorkflowsBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        new OptionRange(1, MOST_STEPS).require(spec, "--steps", steps);
        new OptionRange(1, MOST_CONCURRENT).require(spec, "--concurrency", concurrency);
        new OptionRange(1, LONGEST_SECONDS).require(spec, "--seconds", seconds);
        new OptionRange(0, MOST_FINISHED).require(spec, "--finished", finished);
        try (Target measured = target.open(TargetOption.SQLITE)) {
            Pace pace = Pace.of(Duration.ofSeconds(seconds));
            WorkflowsBenchmark benchmark =
                    new WorkflowsBenchmark(measured, pace, Workload.of(steps, concurrency), new Progress(terminal));
            FiguresReport report = finished == 0 ? benchmark.run() : benchmark.run(finished);
            format.print(terminal, report.json(), () -> report.print(terminal));
        }
    }
}
