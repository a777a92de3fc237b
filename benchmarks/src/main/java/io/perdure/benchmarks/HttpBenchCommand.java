package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code perdure bench http}: what a server between costs. */
@Command(
        name = "http",
        header = "Measures runs, starts and messages over HTTP beside the same in one process.",
        description = {
            "The server is a process of its own on this machine, and shares its cores with the workers and callers,",
            "which are in this one. In turns on fresh stores; without --store it measures sqlite."
        })
final class HttpBenchCommand implements Runnable {
    private static final int LONGEST_SECONDS = 3_600;
    private static final long MOST = 100_000_000;
    private static final int STEPS = 3;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "100000",
            description = "How many runs the workers find (default: ${DEFAULT-VALUE}).")
    private long runs;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How long each round of starts or messages lasts (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Mixin
    private FormatOption format = new FormatOption();

    HttpBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        new OptionRange(10, MOST).require(spec, "--runs", runs);
        new OptionRange(1, LONGEST_SECONDS).require(spec, "--seconds", seconds);
        try (Target measured = target.open(TargetOption.SQLITE)) {
            Pace pace = Pace.of(Duration.ofSeconds(seconds));
            FiguresReport report = new HttpBenchmark(measured, pace, runs, STEPS, new Progress(terminal)).run();
            format.print(terminal, report.json(), () -> report.print(terminal));
        }
    }
}
