package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code perdure bench consumer}: whether the default options of a consumer reach what a fixed prefetch does. */
@Command(
        name = "consumer",
        header = "Measures consumers with default options and with fixed prefetches.",
        description = {
            "Fills a queue and measures how quickly a consumer empties it, once for each kind of options in",
            "every round, so that all of them meet the same load of the machine. Without --store it measures",
            "sqlite. The default number of messages and rounds takes a minute, on Postgres two."
        })
final class ConsumerBenchCommand implements Runnable {
    private static final int MOST_MESSAGES = 10_000_000;
    private static final int MOST_ROUNDS = 1_000;
    private static final int MOST_PREFETCH = 10_000;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "60000",
            description = "How many messages each consumer handles in a round (default: ${DEFAULT-VALUE}).")
    private int messages;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many rounds are measured, after one that is not (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--prefetch",
            paramLabel = "N",
            split = ",",
            defaultValue = "16,1000",
            description = "The prefetches to measure beside the default options (default: ${DEFAULT-VALUE}).")
    private List<Integer> prefetches = List.of();

    @Mixin
    private FormatOption format = new FormatOption();

    ConsumerBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        new OptionRange(1, MOST_MESSAGES).require(spec, "--messages", messages);
        new OptionRange(1, MOST_ROUNDS).require(spec, "--rounds", rounds);
        prefetches.forEach(prefetch -> new OptionRange(0, MOST_PREFETCH).require(spec, "--prefetch", prefetch));
        try (Target measured = target.open(TargetOption.SQLITE)) {
            FiguresReport report =
                    new ConsumerBenchmark(measured, messages, rounds, new Progress(terminal)).run(prefetches);
            format.print(terminal, report.json(), () -> report.print(terminal));
        }
    }
}
