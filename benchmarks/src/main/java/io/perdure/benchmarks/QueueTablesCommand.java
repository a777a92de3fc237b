package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code perdure bench queue-tables}: what a transaction that somebody holds open does to a queue. */
@Command(
        name = "queue-tables",
        header = "Measures a queue in Postgres while a transaction is held open.",
        description = {
            "Messages go through one queue: for up to a minute, then while another session holds a",
            "transaction with a snapshot open, then until all are through, as long as before it and half a",
            "minute at least. Prints what got through, dead rows and the size of the tables. Without --store",
            "it starts a server of its own. Takes 5 minutes if nothing is chosen otherwise."
        })
final class QueueTablesCommand implements Callable<Integer> {
    private static final Duration SLICE = Duration.ofSeconds(5);
    private static final int LONGEST_SECONDS = 1_200;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How many messages go through at least (default: ${DEFAULT-VALUE}).")
    private long messages;

    @Option(
            names = "--held-seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "How long the transaction is held (default: ${DEFAULT-VALUE}).")
    private int heldSeconds;

    @Mixin
    private FormatOption format = new FormatOption();

    QueueTablesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (messages < 1) {
            throw new ParameterException(spec.commandLine(), "--messages must be 1 or more.");
        }
        new OptionRange(1, LONGEST_SECONDS).require(spec, "--held-seconds", heldSeconds);
        try (PostgresTarget measured = target.postgres()) {
            Duration held = Duration.ofSeconds(heldSeconds);
            TablesReport report =
                    new TablesBenchmark(measured, SLICE, QueueLoad::new, messages, held, new Progress(terminal)).run();
            format.print(terminal, report.json(), () -> report.print(terminal, "messages"));
        }
        return 0;
    }
}
