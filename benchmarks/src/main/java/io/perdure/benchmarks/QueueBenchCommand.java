package io.perdure.benchmarks;

import io.perdure.cli.FormatOption;
import io.perdure.cli.Terminal;
import io.perdure.cli.TextTable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
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
            "Writes to a folder of its own in --folder and removes it afterwards. Use a folder on the disk that you",
            "want to know about: in memory a flush costs nothing. With 10 seconds a figure it takes 6 minutes."
        })
final class QueueBenchCommand implements Runnable {
    private static final int LONGEST_SECONDS = 3_600;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "sqlite",
            description = "The kind of store to measure; today there is sqlite.")
    private String store = "sqlite";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "How long each run of a figure lasts (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Where the files are put meanwhile (default: this folder).")
    private Path folder = Path.of(".");

    @Mixin
    private FormatOption format = new FormatOption();

    QueueBenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        if (!store.equals("sqlite")) {
            throw new ParameterException(
                    spec.commandLine(), "There is no store \"" + store + "\" to measure; there is sqlite.");
        }
        if (seconds < 1 || seconds > LONGEST_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(), "--seconds must lie between 1 and " + LONGEST_SECONDS + ".");
        }
        try (WorkFolder work = workFolder()) {
            Duration span = Duration.ofSeconds(seconds);
            Duration warmUp = span.dividedBy(2).plusSeconds(1);
            QueueBenchmark benchmark = new QueueBenchmark(work, warmUp, span, this::progress);
            QueueReport report = benchmark.run();
            format.print(terminal, report.json(), () -> print(report));
        }
    }

    private WorkFolder workFolder() {
        try {
            return WorkFolder.in(folder);
        } catch (UncheckedIOException e) {
            throw new ParameterException(
                    spec.commandLine(), "--folder " + folder + " is not a folder that can be written to.", e);
        }
    }

    private void progress(String line) {
        terminal.err().println(line);
        terminal.err().flush();
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
        table.print(terminal);
        terminal.out().println();
        terminal.out()
                .println(String.format(
                        Locale.ROOT,
                        "%.1f times as many messages as with one transaction each (its best with %d connections).",
                        report.processed() / report.unbatchedProcessed(),
                        report.unbatchedConnections()));
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
