package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.run.RecoveryReason;
import io.perdure.sdk.run.RecoveryReport;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure runs recover}: mends runs that nothing brings on. */
@Command(
        name = "recover",
        header = "Looks for runs that nothing brings on, and mends them.",
        description = {
            "Steps that overran their time without anybody saying how they ended, and runs whose message was lost:"
                    + " rows",
            "that were deleted by hand, a backup put together from parts. All runs are looked at, which takes a while"
                    + " where",
            "there are many. Processes that work do so by themselves, with some of the runs each minute."
        },
        footer = {"Examples:", "  perdure runs recover", "  perdure runs recover --format json"})
final class RunsRecoverCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    RunsRecoverCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        RecoveryReport report;
        try (Engine engine = where.open(terminal)) {
            report = engine.operations().recover();
        }
        Map<String, Object> counts = new LinkedHashMap<>();
        report.counts().forEach((reason, count) -> counts.put(reason.word(), count));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("recovered", report.total());
        shown.put("counts", counts);
        shown.put(
                "runs",
                report.recovered().stream().map(RunsRecoverCommand::json).toList());
        format.print(terminal, shown, () -> print(report));
    }

    private static Map<String, Object> json(RecoveryReport.Recovered one) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", one.run().toString());
        shown.put("workflow", one.workflow().value());
        shown.put("reason", one.reason().word());
        return shown;
    }

    private void print(RecoveryReport report) {
        if (report.total() == 0) {
            terminal.out()
                    .println("Nothing to mend in " + where.shown(terminal) + ": every run is brought on by itself.");
            terminal.out().println("Runs that wait for a worker:  perdure runs list" + where.repeated() + " --waiting");
            return;
        }
        TextTable counts = new TextTable("REASON", "RUNS", "WHAT IT WAS");
        report.counts().forEach((reason, count) -> counts.row(reason.word(), Units.count(count), what(reason)));
        counts.print(terminal);
        terminal.out().println();
        TextTable runs = new TextTable("RUN", "WORKFLOW", "REASON");
        report.recovered()
                .forEach(one -> runs.row(
                        one.run().toString(),
                        one.workflow().value(),
                        one.reason().word()));
        runs.print(terminal);
        if (report.total() > report.recovered().size()) {
            terminal.out()
                    .println("... and "
                            + Units.count(report.total() - report.recovered().size()) + " more.");
        }
        terminal.out().println();
        terminal.out().println("What became of one:  perdure runs history" + where.repeated() + " RUN");
    }

    private static String what(RecoveryReason reason) {
        return switch (reason) {
            case TIMEOUT -> "a step ran for longer than it may: given up, and tried again where it has attempts left";
            case STUCK_CREATED -> "the run had begun, and nothing had its first step started";
            case STUCK_COMPLETED -> "something was done or waited for, and nothing had the run go on";
            case STUCK_FAILED -> "a step had failed, and nothing had it tried again";
            case STUCK_TERMINAL -> "its last step was over, and the end of the run was missing";
        };
    }
}
