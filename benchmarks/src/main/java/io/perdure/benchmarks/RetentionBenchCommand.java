package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code perdure bench retention}: what it costs that very many ended runs go. */
@Command(
        name = "retention",
        header = "Measures what it costs those who work that very many ended runs are removed.",
        description = {
            "Fills a store with runs whose retention is over, and floods it with others, in turns with the",
            "sweep resting and under way. Without --store it measures sqlite. With a million ended runs",
            "and 10 seconds a round that takes 6 minutes, on Postgres 10."
        })
final class RetentionBenchCommand implements Runnable {
    private static final int LONGEST_SECONDS = 3_600;
    private static final long MOST = 1_000_000_000;
    private static final int STEPS = 3;
    private static final int CONCURRENCY = 2_500;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--ended",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How many ended runs there are (default: ${DEFAULT-VALUE}).")
    private long ended;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "How long each round lasts at least (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Mixin
    private FormatOption format = new FormatOption();

    RetentionBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        new OptionRange(1, MOST).require(spec, "--ended", ended);
        new OptionRange(1, LONGEST_SECONDS).require(spec, "--seconds", seconds);
        try (Target measured = target.open(TargetOption.SQLITE)) {
            Pace pace = Pace.of(Duration.ofSeconds(seconds));
            FiguresReport report = new RetentionBenchmark(
                            measured, pace, Workload.of(STEPS, CONCURRENCY), new Progress(terminal))
                    .run(ended);
            format.print(terminal, report.json(), () -> report.print(terminal));
        }
    }
}
