package io.perdure.store.postgres;

import io.perdure.core.store.Lease;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.store.postgres.Column.Absent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Starts without a key, as the arrays of the flush. Most are of few workflows, so what is to be run is named once. */
final class PlainStarts {
    private final List<Start> starts = new ArrayList<>();
    private final List<Integer> lineOf = new ArrayList<>();
    private final Map<Line, Integer> numbers = new HashMap<>();
    private final List<Line> lines = new ArrayList<>();

    private record Line(
            TenantId tenant,
            WorkflowName workflow,
            @Nullable Integer version,
            @Nullable RunKind kind) {}

    static boolean isPlain(Start start) {
        return start.options().idempotencyKey() == null && start.options().workflowId() == null;
    }

    void add(Start start) {
        Definition what = start.definition();
        Line line = new Line(start.tenant(), what.workflow(), what.version(), what.kind());
        starts.add(start);
        lineOf.add(numbers.computeIfAbsent(line, _ -> {
            lines.add(line);
            return lines.size();
        }));
    }

    boolean isEmpty() {
        return starts.isEmpty();
    }

    List<Object> arrays() {
        List<Object> arrays = new ArrayList<>();
        arrays.add(Column.texts(lines, line -> line.tenant().value()));
        arrays.add(Column.texts(lines, line -> line.workflow().value()));
        arrays.add(Column.intsOrNull(lines, Line::version));
        arrays.add(Column.texts(
                lines, line -> line.kind() == null ? null : line.kind().name()));
        arrays.add(Column.texts(
                lines, line -> QueueName.ofRuns(line.workflow(), line.version()).value()));
        arrays.add(Column.ids(starts, start -> start.run().value()));
        arrays.add(Column.ints(lineOf, Integer::intValue));
        arrays.add(Column.texts(starts, start -> start.definition().input().text()));
        arrays.add(
                Column.texts(starts, start -> Texts.ofValues(start.definition().writes())));
        arrays.add(Column.texts(starts, start -> Texts.of(start.options().tags())));
        arrays.add(Column.ids(starts, PlainStarts::parent));
        arrays.add(Column.ints(starts, start -> start.options().retentionDays()));
        arrays.add(Column.longsOrNull(starts, start -> deadline(start.options().deadline())));
        arrays.add(Column.longs(starts, start -> PlainSteps.due(start.ready())));
        arrays.add(Column.ids(starts, PlainStarts::token));
        arrays.add(Column.longsOrNull(starts, PlainStarts::leaseMicros));
        return arrays;
    }

    /** One alone, as the values of its own function. */
    static List<Object> alone(Start start) {
        Definition what = start.definition();
        return List.of(
                start.tenant().value(),
                start.run().value(),
                what.workflow().value(),
                Absent.INT.unless(what.version()),
                Absent.TEXT.unless(what.kind() == null ? null : what.kind().name()),
                QueueName.ofRuns(what.workflow(), what.version()).value(),
                what.input().text(),
                Absent.TEXT.unless(Texts.ofValues(what.writes())),
                Absent.TEXT.unless(Texts.of(start.options().tags())),
                Absent.ID.unless(parent(start)),
                start.options().retentionDays(),
                Absent.LONG.unless(deadline(start.options().deadline())),
                PlainSteps.due(start.ready()),
                Absent.ID.unless(token(start)),
                Absent.LONG.unless(leaseMicros(start)));
    }

    private static @Nullable UUID parent(Start start) {
        RunId parent = start.options().parent();
        return parent == null ? null : parent.value();
    }

    private static @Nullable Long deadline(Due deadline) {
        return deadline instanceof Due.Never ? null : Long.valueOf(PlainSteps.due(deadline));
    }

    private static @Nullable UUID token(Start start) {
        Lease lease = start.lease();
        return lease == null ? null : lease.token();
    }

    private static @Nullable Long leaseMicros(Start start) {
        Lease lease = start.lease();
        return lease == null ? null : Long.valueOf(Documents.micros(lease.length()));
    }
}
