package io.perdure.core.store.memory;

import io.perdure.core.store.Bounds;
import io.perdure.core.store.Inspect;
import io.perdure.core.store.Inspected;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.Suspect;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks at runs, and finds those that something may be wrong with. */
final class Inspections {
    private final Tables tables;

    Inspections(Tables tables) {
        this.tables = tables;
    }

    Inspected inspect(Inspect request, Instant now) {
        Stream<RunState> inOrder = switch (request.scope()) {
            case LEASED -> leased(request.tenant(), now);
            case ALL -> behind(request.tenant(), request.after());
        };
        List<RunState> seen = inOrder.limit(request.limit()).toList();
        Instant passed = Bounds.ago(request.overdueBy(), now);
        List<Suspect> suspects = seen.stream()
                .filter(run -> isSuspect(run, passed))
                .map(run -> new Suspect(run.id, run.history.getLast(), run.message != null))
                .toList();
        boolean more = request.scope() == Inspect.Scope.ALL && seen.size() == request.limit();
        return new Inspected(suspects, more ? place(seen.getLast()) : null);
    }

    private Stream<RunState> leased(TenantId tenant, Instant now) {
        return tables.runs(tenant).stream()
                .filter(run -> run.message != null && run.message.isLeased(now))
                .sorted(Comparator.comparing((RunState run) -> Objects.requireNonNull(run.message).readyAt)
                        .thenComparing(run -> run.id));
    }

    /** The oldest first: pages of runs, which cursors are of, have the newest first. */
    private Stream<RunState> behind(TenantId tenant, @Nullable Cursor after) {
        return tables.runs(tenant).stream()
                .filter(run -> after == null || place(run).isBefore(after))
                .sorted(Comparator.comparing((RunState run) -> run.startedAt).thenComparing(run -> run.id));
    }

    private static Cursor place(RunState run) {
        return new Cursor(run.startedAt, run.id);
    }

    /** The time of event 0 is the deadline, which is another's to see to. */
    private static boolean isSuspect(RunState run, Instant passed) {
        Recorded last = run.history.getLast();
        Instant until = last.until();
        boolean overdue = last.seq() > 0 && until != null && !until.isAfter(passed);
        return run.status == RunStatus.RUNNING && (run.message == null || overdue);
    }
}
