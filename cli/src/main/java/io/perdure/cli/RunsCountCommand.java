package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.run.RunCount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure runs count}: the workflows, and how many runs of each are in which status. */
@Command(
        name = "count",
        header = "Shows how many runs each workflow has, by status.",
        description = "The store keeps these numbers as runs come and go: nothing is counted when you ask.")
final class RunsCountCommand implements Runnable {
    private static final List<RunStatus> SHOWN = List.of(RunStatus.values());

    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    RunsCountCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        Map<String, Map<RunStatus, Long>> workflows = new TreeMap<>();
        try (Engine engine = where.open(terminal)) {
            for (RunCount count : engine.runCounts()) {
                workflows
                        .computeIfAbsent(count.workflow().value(), _ -> new TreeMap<>())
                        .put(count.status(), count.count());
            }
        }
        List<Map<String, Object>> shown = new ArrayList<>();
        workflows.forEach((name, counts) -> shown.add(json(name, counts)));
        format.print(terminal, shown, () -> print(workflows));
    }

    private static Map<String, Object> json(String name, Map<RunStatus, Long> counts) {
        Map<String, Object> workflow = new LinkedHashMap<>();
        workflow.put("workflow", name);
        SHOWN.forEach(status -> workflow.put(status.word(), counts.getOrDefault(status, 0L)));
        return workflow;
    }

    private void print(Map<String, Map<RunStatus, Long>> workflows) {
        if (workflows.isEmpty()) {
            terminal.out().println("There are no runs in " + where.shown(terminal) + ".");
            return;
        }
        TextTable table = new TextTable("WORKFLOW", "RUNNING", "PARKED", "COMPLETED", "FAILED", "CANCELLED");
        workflows.forEach((name, counts) -> {
            List<String> cells = new ArrayList<>(List.of(name));
            SHOWN.forEach(status -> cells.add(Units.count(counts.getOrDefault(status, 0L))));
            table.row(cells.toArray(String[]::new));
        });
        table.print(terminal);
    }
}
