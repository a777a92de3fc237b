package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code perdure bench lists}: whether lists of runs come as soon when there are very many. */
@Command(
        name = "lists",
        header = "Measures how soon lists and counts of very many runs are there.",
        description = {
            "Fills a store with runs, nearly all of them completed, and asks for the first page of lists by",
            "status, workflow, tag and input. Without --store it measures sqlite. With a million runs that",
            "takes 2 minutes, on Postgres 4."
        })
final class RunListsBenchCommand implements Runnable {
    private static final long MOST = 1_000_000_000;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How many runs there are (default: ${DEFAULT-VALUE}).")
    private long runs;

    @Mixin
    private FormatOption format = new FormatOption();

    RunListsBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        new OptionRange(1, MOST).require(spec, "--runs", runs);
        try (Target measured = target.open(TargetOption.SQLITE)) {
            FiguresReport report = new RunListsBenchmark(measured, runs, new Progress(terminal)).run();
            format.print(terminal, report.json(), () -> report.print(terminal));
        }
    }
}
