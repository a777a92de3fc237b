package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code perdure bench queue-depth}: whether a queue answers as soon when it is very deep. */
@Command(
        name = "queue-depth",
        header = "Measures what a very deep queue answers, and how soon.",
        description = {
            "Fills a queue, all ready, then all delayed, then partly leased, and asks for its figures; then",
            "with one FIFO group, and takes from it. Without --store it measures sqlite. With a million",
            "messages that takes 3 minutes, on Postgres 8."
        })
final class QueueDepthCommand implements Runnable {
    private static final int MOST = 100_000_000;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How deep the queue is (default: ${DEFAULT-VALUE}).")
    private int messages;

    @Mixin
    private FormatOption format = new FormatOption();

    QueueDepthCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        new OptionRange(1, MOST).require(spec, "--messages", messages);
        try (Target measured = target.open(TargetOption.SQLITE)) {
            FiguresReport report = new QueueDepthBenchmark(measured, messages, new Progress(terminal)).run();
            format.print(terminal, report.json(), () -> report.print(terminal));
        }
    }
}
