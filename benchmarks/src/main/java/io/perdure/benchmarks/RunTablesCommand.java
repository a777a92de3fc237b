package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code perdure bench run-tables}: what a transaction that is held open does to runs. */
@Command(
        name = "run-tables",
        header = "Measures runs in Postgres while a transaction is held open.",
        description = {
            "512 callers start runs of three steps and wait for each, and 128 start runs that sleep first and are",
            "claimed again: for up to a minute, then while another session holds a transaction with a snapshot",
            "open, then as long as before it and half a minute. Prints runs per second, dead rows and the size",
            "of the tables. Without --store it starts a server of its own. Default: 4 minutes."
        })
final class RunTablesCommand implements Callable<Integer> {
    private static final Duration SLICE = Duration.ofSeconds(5);
    private static final int LONGEST_SECONDS = 1_200;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--held-seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "How long the transaction is held (default: ${DEFAULT-VALUE}).")
    private int heldSeconds;

    @Mixin
    private FormatOption format = new FormatOption();

    RunTablesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        new OptionRange(1, LONGEST_SECONDS).require(spec, "--held-seconds", heldSeconds);
        try (PostgresTarget measured = target.postgres()) {
            Duration held = Duration.ofSeconds(heldSeconds);
            TablesReport report =
                    new TablesBenchmark(measured, SLICE, RunLoad::new, 0, held, new Progress(terminal)).run();
            format.print(terminal, report.json(), () -> report.print(terminal, "runs"));
        }
        return 0;
    }
}
