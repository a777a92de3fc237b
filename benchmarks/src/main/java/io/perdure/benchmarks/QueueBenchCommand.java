package io.perdure.benchmarks;

import io.perdure.benchmarks.QueueReport.Together;
import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import io.perdure.cli.TextTable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code perdure bench queue}: what a queue does in a second, and how long a message takes through an idle one. */
@Command(
        name = "queue",
        header = "Measures a queue: sends, whole trips, and the time of one message.",
        description = {
            "Writes to a folder of its own in --folder and removes it afterwards. Use a folder on the disk",
            "that you want to know about: in memory a flush costs nothing. Without --store it measures",
            "sqlite. With 10 seconds a figure that takes 10 minutes; Postgres, with 1, 2 and 4 processes at",
            "once, takes 15."
        })
final class QueueBenchCommand implements Runnable {
    private static final int LONGEST_SECONDS = 3_600;
    private static final int MOST_PROCESSES = 64;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TargetOption target = new TargetOption();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "How long each run of a figure lasts (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--processes",
            paramLabel = "N",
            split = ",",
            description = {
                "Measures whole trips by so many processes at once too, one number after the other.",
                "Without it: 1,2,4 on Postgres, none on SQLite."
            })
    private @Nullable List<Integer> processes;

    @Mixin
    private FormatOption format = new FormatOption();

    QueueBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        new OptionRange(1, LONGEST_SECONDS).require(spec, "--seconds", seconds);
        List<Integer> sizes = processes();
        if (sizes.stream().anyMatch(size -> size < 1 || size > MOST_PROCESSES)) {
            throw new ParameterException(
                    spec.commandLine(), "--processes must be numbers between 1 and " + MOST_PROCESSES + ", as 1,2,4.");
        }
        try (Target measured = target.open(TargetOption.SQLITE)) {
            Pace pace = Pace.of(Duration.ofSeconds(seconds));
            QueueReport report = new QueueBenchmark(measured, pace, new Progress(terminal)).run(sizes);
            format.print(terminal, report.json(), () -> print(report));
        }
    }

    private List<Integer> processes() {
        if (processes != null) {
            return processes;
        }
        return target.name(TargetOption.SQLITE).equals(TargetOption.SQLITE) ? List.of() : List.of(1, 2, 4);
    }

    private void print(QueueReport report) {
        terminal.out().println(report.machine());
        terminal.out().println();
        TextTable table = new TextTable("WHAT", "PERDURE", "ONE TRANSACTION EACH");
        table.row("send, many callers", perSecond(report.send()), perSecond(report.unbatchedSend()));
        table.row("send, 100 at a time", perSecond(report.sendBatch()), "");
        table.row("send, receive and ack", perSecond(report.processed()), perSecond(report.unbatchedProcessed()));
        table.row("idle, send to receive, p50", millis(report.idle50()), "");
        table.row("idle, send to receive, p99", millis(report.idle99()), "");
        table.row("rows written per message", decimal(report.rowsPerMessage()), "");
        table.row("flushes per message", decimal(report.flushesPerMessage()), decimal(report.unbatchedFlushes()));
        report.more().forEach(figure -> table.row(figure.what(), figure.text(), ""));
        table.print(terminal);
        terminal.out().println();
        terminal.out()
                .println(String.format(
                        Locale.ROOT,
                        "%.1f times as many messages as with one transaction each (its best with %d connections).",
                        report.processed() / report.unbatchedProcessed(),
                        report.unbatchedConnections()));
        if (!report.together().isEmpty()) {
            print(report.together());
        }
    }

    private void print(List<Together> together) {
        terminal.out().println();
        TextTable table = new TextTable("PROCESSES AT ONCE", "SEND, RECEIVE AND ACK", "TIMES THE LINE ABOVE");
        for (int line = 0; line < together.size(); line++) {
            Together here = together.get(line);
            table.row(
                    String.valueOf(here.processes()),
                    perSecond(here.perSecond()),
                    line == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "%.2f",
                                    here.perSecond() / together.get(line - 1).perSecond()));
        }
        table.print(terminal);
    }

    private static String perSecond(double rate) {
        return String.format(Locale.ROOT, "%,.0f/s", rate);
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%.2f ms", millis);
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }
}
