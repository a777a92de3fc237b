package io.perdure.core.store.memory;

import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists runs. All rows are sorted for each page, but no more are looked at closely than a store may. */
final class RunLists {
    private final Tables tables;

    RunLists(Tables tables) {
        this.tables = tables;
    }

    /** A run at its place in the order that is asked for. */
    private record Placed(RunQuery.Cursor place, RunState run) {
        static final Comparator<Placed> NEWEST_FIRST = Comparator.comparing((Placed placed) -> placed.place.at())
                .thenComparing(placed -> placed.place.run())
                .reversed();

        static Optional<Placed> of(RunState run, RunQuery.Order order) {
            Instant at = switch (order) {
                case STARTED -> run.startedAt;
                case COMPLETED -> run.completedAt;
            };
            return Optional.ofNullable(at).map(time -> new Placed(new RunQuery.Cursor(time, run.id), run));
        }
    }

    RunPage runs(RunQuery query) {
        RunQuery.Cursor behind = query.behind();
        Iterator<Placed> ahead = tables.runs(query.tenant()).stream()
                .flatMap(run -> Placed.of(run, query.order()).stream())
                .filter(placed -> behind.isBefore(placed.place))
                .filter(placed -> !placed.place.at().isBefore(query.back()))
                .sorted(Placed.NEWEST_FIRST)
                .iterator();
        List<Placed> page = new ArrayList<>();
        RunQuery.Cursor seen = behind;
        for (int examined = 0; ahead.hasNext(); examined++) {
            if (examined == tables.limits.calls().examinedRows()) {
                return page(page, seen);
            }
            Placed placed = ahead.next();
            seen = placed.place;
            if (isAskedFor(placed.run, query)) {
                if (page.size() == query.limit()) {
                    return page(page, page.getLast().place);
                }
                page.add(placed);
            }
        }
        return page(page, null);
    }

    private static RunPage page(List<Placed> runs, RunQuery.@Nullable Cursor next) {
        return new RunPage(runs.stream().map(placed -> placed.run.row()).toList(), next);
    }

    private static boolean isAskedFor(RunState run, RunQuery query) {
        return (query.workflow() == null || run.definition.workflow().equals(query.workflow()))
                && (query.status() == null || run.status == query.status())
                && run.options.tags().entrySet().containsAll(query.tags().entrySet());
    }

    Map<WorkflowName, Instant> dueSince(TenantId tenant, Instant now) {
        Map<WorkflowName, Instant> since = new HashMap<>();
        for (RunState run : tables.runs(tenant)) {
            if (run.message != null && !run.message.readyAt.isAfter(now)) {
                since.merge(
                        run.definition.workflow(), run.message.readyAt, (one, two) -> one.isBefore(two) ? one : two);
            }
        }
        return since;
    }

    List<RunId> overdue(TenantId tenant, Instant since, int limit) {
        return tables.runs(tenant).stream()
                .filter(run -> run.status == RunStatus.RUNNING)
                .flatMap(run -> Optional.ofNullable(run.deadline)
                        .filter(deadline -> !deadline.isAfter(since))
                        .map(deadline -> new RunQuery.Cursor(deadline, run.id))
                        .stream())
                .sorted(Comparator.comparing(RunQuery.Cursor::at).thenComparing(RunQuery.Cursor::run))
                .limit(limit)
                .map(RunQuery.Cursor::run)
                .toList();
    }
}
