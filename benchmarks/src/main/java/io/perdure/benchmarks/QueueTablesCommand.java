package io.perdure.benchmarks;

import io.perdure.benchmarks.QueueTablesReport.Look;
import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import io.perdure.cli.TextTable;
import java.time.Duration;
import java.util.Locale;
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
            "Messages go through one queue: for a while, then as long while another session holds a",
            "transaction with a snapshot open, then until all are through, as long again and half a minute",
            "at least. Prints what got through, dead rows and the size of the tables. Without --store it",
            "starts a server of its own. Takes 5 minutes if nothing is chosen otherwise."
        })
final class QueueTablesCommand implements Callable<Integer> {
    private static final Duration SLICE = Duration.ofSeconds(5);
    private static final int LONGEST_SECONDS = 1_200;
    private static final double MEGABYTE = 1_048_576;

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
            QueueTablesReport report =
                    new QueueTablesBenchmark(measured, SLICE, messages, held, new Progress(terminal)).run();
            format.print(terminal, report.json(), () -> print(report));
        }
        return 0;
    }

    private void print(QueueTablesReport report) {
        terminal.out().println(report.machine());
        terminal.out().println();
        TextTable slices = new TextTable("FROM", "TRANSACTION", "PROCESSED", "DEAD ROWS", "TABLES AND INDEXES");
        report.slices()
                .forEach(slice -> slices.row(
                        Math.round(slice.second()) + " s",
                        slice.phase().shown(),
                        count(Math.round(slice.perSecond())) + "/s",
                        count(slice.deadRows()),
                        megabytes(slice.bytes())));
        slices.print(terminal);
        terminal.out().println();
        terminal.out().println(count(report.messages()) + " messages went through.");
        report.looks().forEach(this::print);
    }

    private void print(Look look) {
        terminal.out().println();
        terminal.out().println(look.when() + ":");
        TextTable tables = new TextTable(
                "TABLE", "SIZE", "INDEXES", "LIVE ROWS", "DEAD ROWS", "UPDATES", "OF THEM HOT", "AUTOVACUUMS");
        look.tables()
                .forEach(table -> tables.row(
                        table.name(),
                        megabytes(table.bytes()),
                        megabytes(table.indexBytes()),
                        count(table.liveRows()),
                        count(table.deadRows()),
                        count(table.updates()),
                        count(table.hotUpdates()),
                        count(table.vacuums())));
        tables.print(terminal);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEGABYTE);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
