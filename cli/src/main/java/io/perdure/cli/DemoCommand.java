package io.perdure.cli;

import io.perdure.cli.demo.Demo;
import io.perdure.cli.demo.Promise;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perdure demo}: shows that a workflow survives the death of its process. */
@Command(
        name = "demo",
        header = "Shows a workflow that survives kill -9, in about ten seconds.",
        description = {
            "A process works on an order, on a SQLite file in a new folder, and is killed in the middle of a step.",
            "A signal is sent to the order while no process works. Another one finishes the order. What the steps",
            "wrote to a journal of their own is then judged: exit code 0 only where every promise was kept.",
            "Nothing is left behind then."
        })
final class DemoCommand implements Runnable {
    private static final int WIDEST = 100;

    private final Terminal terminal;

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(
            names = "--within",
            paramLabel = "TIME",
            description = "How long it may take, for slow machines. Without it: 30s.")
    private Duration within = Duration.ofSeconds(30);

    DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        RunText.requireNotNegative("A time", within);
        if (format.isText()) {
            tellAll(
                    "A process works on an order and is killed in the middle of a step. A signal comes while nobody works. Another process finishes it.");
            terminal.out().println();
        }
        Demo.Report report = Demo.run(format.isText() ? this::tell : _ -> {}, terminal.colours(), within);
        format.print(terminal, json(report), () -> print(report));
        if (!report.isKept()) {
            throw new RefusedException(ErrorCode.DEMO_FAILED, broken(report));
        }
    }

    private static String broken(Demo.Report report) {
        String promises = report.promises().stream()
                .filter(promise -> !promise.kept())
                .map(promise -> promise.promise() + " (" + promise.seen() + ")")
                .collect(Collectors.joining("; "));
        return "Not kept: " + promises + ". The witness is " + report.witness() + ".";
    }

    private void tellAll(String text) {
        Wrap.lines(text, Math.min(terminal.columns(), WIDEST)).forEach(terminal.out()::println);
    }

    private void tell(String line) {
        terminal.out().println(line);
        terminal.out().flush();
    }

    private void print(Demo.Report report) {
        terminal.out().println();
        terminal.out().println("What the store knows of run " + report.run() + ":");
        terminal.out().println();
        TextTable history = new TextTable("NO", "TIME", "WHAT HAPPENED");
        Instant start = report.history().getFirst().at();
        for (Recorded recorded : report.history()) {
            history.row(
                    Long.toString(recorded.seq()),
                    RunText.seconds(Duration.between(start, recorded.at())),
                    EventText.line(recorded, time -> RunText.seconds(Duration.between(start, time))));
        }
        history.print(terminal);
        terminal.out().println();
        tellAll(
                "Judged by what the steps wrote to a journal of their own, outside the store; the signal, by the history:");
        terminal.out().println();
        int width = report.promises().stream()
                .mapToInt(promise -> promise.promise().length())
                .max()
                .orElse(0);
        report.promises().forEach(promise -> print(promise, width));
        if (report.isKept()) {
            terminal.out().println();
            terminal.out()
                    .println("All " + report.promises().size() + " promises were kept, in "
                            + RunText.seconds(report.took()) + ".");
        }
    }

    private void print(Promise promise, int width) {
        String mark = promise.kept() ? "✓" : "✗";
        String colour = promise.kept() ? "\u001B[32m" : "\u001B[1;31m";
        String head = "  " + (terminal.colours() ? colour + mark + "\u001B[0m" : mark) + " " + promise.promise()
                + " ".repeat(width - promise.promise().length() + 2);
        int indent = 4 + width + 2;
        List<String> seen = Wrap.lines(promise.seen(), Math.max(1, Math.min(terminal.columns(), WIDEST) - indent));
        terminal.out().println(head + seen.getFirst());
        seen.stream().skip(1).forEach(line -> terminal.out().println(" ".repeat(indent) + line));
    }

    private static Map<String, Object> json(Demo.Report report) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("kept", report.isKept());
        shown.put("tookMillis", report.took().toMillis());
        shown.put("run", report.run().toString());
        shown.put("promises", report.promises());
        shown.put("history", report.history().stream().map(EventText::json).toList());
        if (!report.isKept()) {
            shown.put("witness", report.witness().toString());
        }
        return shown;
    }
}
