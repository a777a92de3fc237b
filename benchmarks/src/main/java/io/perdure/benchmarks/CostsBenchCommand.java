package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code perdure bench costs}: what each operation has the store write. */
@Command(
        name = "costs",
        header = "Counts what each operation costs the store in rows, flushes and bytes.",
        description = {
            "Has many callers do one kind of operation at a time, each on a fresh store, and divides what the",
            "store did by their number. Nothing is timed, so one round will do. Bytes are those of the",
            "write-ahead log of Postgres, of everybody who uses the server; and for sqlite what this process",
            "has written, where there is a /proc. Without --store it counts on sqlite."
        })
final class CostsBenchCommand implements Runnable {
    private static final int MOST = 100_000_000;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--operations",
            paramLabel = "N",
            defaultValue = "20000",
            description = "How many there are of each kind (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Mixin
    private FormatOption format = new FormatOption();

    CostsBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        new OptionRange(1, MOST).require(spec, "--operations", operations);
        try (Target counted = target.open(TargetOption.SQLITE)) {
            FiguresReport report = new CostsBenchmark(counted, operations, new Progress(terminal)).run();
            format.print(terminal, report.json(), () -> report.print(terminal));
        }
    }
}
