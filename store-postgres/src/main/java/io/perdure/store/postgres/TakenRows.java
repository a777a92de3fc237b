package io.perdure.store.postgres;

import io.perdure.core.store.ClaimRuns.Line;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Hint;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.Taken;
import io.perdure.core.store.Taken.TakenRun;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.json.Json;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Puts together what a claim read along: rows of runs, then of their events, then of their signals. */
final class TakenRows {
    /** What functions that take runs answer; one of them is to follow. */
    static final String COLUMNS = """
            SELECT run, line, lapses, leased_until, next_ready, more, number, at, until, name, value,
                   version_named, kind, writes, idempotency_key, workflow_id, parent, wakes
            FROM perdure.""";

    private final TenantId tenant;
    private final List<Line> lines;
    private final UUID token;
    private final Map<UUID, Rows> runs = new LinkedHashMap<>();
    private @Nullable Instant nextReady;
    private boolean more;

    TakenRows(TenantId tenant, List<Line> lines, UUID token) {
        this.tenant = tenant;
        this.lines = lines;
        this.token = token;
    }

    /** What was read of a run. Its events are read last of all: one that cannot be read is the fault of this run alone. */
    private record Rows(
            ClaimedRun claimed,
            @Nullable Instant deadline,
            long wakes,
            Recorded created,
            List<Stored> events,
            List<MailboxEntry> mailbox) {
        TakenRun run() {
            List<Recorded> history = new ArrayList<>(events.size() + 1);
            history.add(created);
            for (Stored stored : events) {
                history.add(new Recorded(stored.seq(), stored.at(), stored.until(), EventJson.read(stored.event())));
            }
            return new TakenRun(claimed, deadline, wakes, history, mailbox);
        }
    }

    private record Stored(long seq, Instant at, @Nullable Instant until, Json event) {}

    void add(Row row) throws SQLException {
        UUID id = row.uuidOrNull(1);
        if (id == null) {
            nextReady = row.timeOrNull(5);
            more = row.flag(6);
        } else if (row.smallOrNull(2) != null) {
            runs.put(id, rows(row, new RunId(id)));
        } else {
            addTo(Objects.requireNonNull(runs.get(id)), row);
        }
    }

    private static void addTo(Rows run, Row row) throws SQLException {
        String name = row.textOrNull(10);
        if (name == null) {
            run.events().add(new Stored(row.integer(7), row.time(8), row.timeOrNull(9), row.json(11)));
        } else {
            run.mailbox().add(new MailboxEntry(row.integer(7), new EventName(name), row.json(11), row.time(8)));
        }
    }

    /** Whether nobody needs to hear of this any more: all that is ready in that queue has been taken. */
    boolean settles(Hint hint) {
        return !more
                && hint instanceof Hint.Ready(TenantId of, QueueName queue)
                && of.equals(tenant)
                && runs.values().stream()
                        .map(Rows::claimed)
                        .anyMatch(run ->
                                QueueName.ofRuns(run.workflow(), run.version()).equals(queue));
    }

    private Rows rows(Row row, RunId run) throws SQLException {
        ClaimedRun claimed = Claims.claimed(row, run, lines, token);
        Instant deadline = row.timeOrNull(9);
        Event created = new Event.RunCreated(
                claimed.workflow(),
                row.smallOrNull(12),
                RunReads.orNull(row.textOrNull(13), RunKind::valueOf),
                row.json(11),
                Texts.values(row.textOrNull(14)),
                RunReads.orNull(row.textOrNull(15), IdempotencyKey::new),
                RunReads.orNull(row.textOrNull(16), WorkflowId::new),
                RunReads.orNull(row.uuidOrNull(17), RunId::new));
        return new Rows(
                claimed,
                deadline,
                row.integer(18),
                new Recorded(0, row.time(8), deadline, created),
                new ArrayList<>(),
                new ArrayList<>());
    }

    Taken taken() {
        List<TakenRun> taken = new ArrayList<>(runs.size());
        Map<RunId, UnreadableHistoryException> unreadable = new HashMap<>();
        for (Rows rows : runs.values()) {
            try {
                taken.add(rows.run());
            } catch (UnreadableHistoryException e) {
                unreadable.put(rows.claimed().run(), e);
            }
        }
        return new Taken(taken, unreadable, nextReady);
    }
}
