package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.worker.Claim;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure workers list}: the workers that are alive. */
@Command(
        name = "list",
        header = "Lists the workers that are alive, with what they serve.",
        description = {
            "SINCE is from when on the worker has been alive without a gap, AT ONCE how many runs it works on at a"
                    + " time,",
            "SERVES the workflows and versions that it has code for."
        })
final class WorkersListCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    WorkersListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<LiveWorker> workers;
        try (Engine engine = where.open(terminal)) {
            workers = engine.operations().workers().stream()
                    .sorted(LiveWorker.ORDER)
                    .toList();
        }
        format.print(terminal, workers.stream().map(WorkersListCommand::json).toList(), () -> print(workers));
    }

    private static Map<String, Object> json(LiveWorker worker) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", worker.name());
        shown.put("process", worker.process().toString());
        shown.put("since", worker.since().toString());
        shown.put("until", worker.until().toString());
        shown.put("concurrency", worker.concurrency());
        shown.put(
                "serves",
                worker.served().stream().flatMap(WorkersListCommand::json).toList());
        return shown;
    }

    private static Stream<Map<String, Object>> json(Claim.Served served) {
        return served.versions().stream().sorted().map(version -> {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("workflow", served.workflow().value());
            shown.put("version", version);
            return shown;
        });
    }

    private void print(List<LiveWorker> workers) {
        if (workers.isEmpty()) {
            terminal.out().println("Nobody works on " + where.shown(terminal) + " now.");
            terminal.out().println("Runs that wait for it:  perdure runs list" + where.repeated() + " --waiting");
            return;
        }
        TextTable table = new TextTable("WORKER", "PROCESS", "SINCE", "AT ONCE", "SERVES");
        for (LiveWorker worker : workers) {
            table.row(
                    Failures.harmless(worker.name()),
                    worker.process().toString(),
                    EventText.time(worker.since()),
                    Units.count(worker.concurrency()),
                    worker.served().stream().flatMap(WorkersListCommand::text).collect(Collectors.joining(", ")));
        }
        table.print(terminal);
    }

    private static Stream<String> text(Claim.Served served) {
        return served.versions().stream().sorted().map(version -> served.workflow() + "@" + version);
    }
}
