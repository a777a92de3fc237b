package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure runs list}: finds runs. */
@Command(
        name = "list",
        header = "Lists runs, the newest first.",
        description = {
            "Runs of an ended status (completed, failed, cancelled) are listed by when they ended, all others by when",
            "they started. The list ends with where the next page begins; that place holds while runs come and go.",
            "",
            "Parked runs (--status parked) are shown as what is to be done: each with why in full, and what helps. A",
            "running run with \"no worker\" waits for a process that has its version."
        },
        footer = {
            "Examples:",
            "  perdure runs list --workflow order --status failed --since 2026-05-01",
            "  perdure runs list --status parked",
            "  perdure runs list --waiting",
            "  perdure runs list --tag customer=ann",
            "  perdure runs list --workflow order --input user.id=42"
        })
final class RunsListCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private FilterOption filter = new FilterOption();

    @Mixin
    private PageOption page = new PageOption();

    RunsListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        RunFilter asked = filter.filter();
        int limit = page.limit();
        if (page.after() != null) {
            asked.requirePlace(page.after());
        }
        boolean parked = asked.status() == RunStatus.PARKED;
        RunList found;
        Attendance attendance;
        Map<RunInfo, Instant> since = new HashMap<>();
        try (Engine engine = where.open(terminal)) {
            found = found(engine, asked, limit);
            attendance = new Attendance(engine.operations().workers());
            for (RunInfo row : parked ? found.runs() : List.<RunInfo>of()) {
                ParkedText.since(row, engine.run(row.id())).ifPresent(at -> since.put(row, at));
            }
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put(
                "runs",
                found.runs().stream()
                        .map(row -> json(row, attendance, since.get(row)))
                        .toList());
        if (found.next() != null) {
            shown.put("next", found.next());
        }
        format.print(terminal, shown, () -> {
            if (found.runs().isEmpty()) {
                terminal.out().println("No run in " + where.shown(terminal) + " matches.");
            } else if (parked) {
                new ParkedText(terminal, where, attendance).print(found.runs(), since);
            } else {
                print(found.runs(), attendance);
            }
            PageOption.printNext(terminal, found.next());
        });
    }

    private static Map<String, Object> json(RunInfo row, Attendance attendance, @Nullable Instant parkedAt) {
        Map<String, Object> shown = RunText.json(row, attendance);
        if (parkedAt != null) {
            shown.put("parkedAt", parkedAt.toString());
        }
        return shown;
    }

    /** One call looks at a bounded number of runs, so it may take several to fill a page. */
    private RunList found(Engine engine, RunFilter asked, int limit) {
        List<RunInfo> runs = new ArrayList<>();
        String next = page.after();
        do {
            int left = limit - runs.size();
            RunList more = next == null ? engine.runs(asked, left) : engine.runs(asked, left, next);
            runs.addAll(more.runs());
            next = more.next();
        } while (next != null && runs.size() < limit);
        return new RunList(runs, next);
    }

    private void print(List<RunInfo> runs, Attendance attendance) {
        TextTable table = new TextTable("RUN", "WORKFLOW", "STATUS", "STARTED", "TOOK", "WHY");
        for (RunInfo row : runs) {
            table.row(
                    row.id().toString(),
                    RunText.workflow(row),
                    attendance.status(row),
                    EventText.time(row.startedAt()),
                    row.completedAt() == null
                            ? ""
                            : RunText.seconds(Duration.between(row.startedAt(), row.completedAt())),
                    row.error() == null ? "" : Failures.harmless(RunText.oneLine(EventText.failure(row.error()))));
        }
        table.print(terminal);
    }
}
