package io.perdure.store.sqlite;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Line;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Leases runs, and lengthens leases of runs and messages. */
final class Claims {
    private static final String FIND = """
            SELECT m.run, m.token <> zeroblob(16), m.lapses, m.leased_at_seq,
                   (SELECT max(seq) FROM event e WHERE e.run = r.row),
                   r.row, r.retention_days, r.deadline, r.parent IS NOT NULL OR r.workflow_id IS NOT NULL
            FROM run_message m CROSS JOIN run r ON r.tenant = m.tenant AND r.id = m.run
            WHERE m.tenant = ?2 AND m.queue = ?3 AND %s
            ORDER BY m.ready_at, m.run""";

    private static final String DUE = FIND.formatted(LeaseTimes.AVAILABLE);
    private static final String DUE_AND_FRESH = FIND.formatted("m.token = zeroblob(16) AND m.ready_at <= ?1");

    private static final ManyRows TAKE = new ManyRows(8, """
            UPDATE run_message
            SET token = ?1, lease_nanos = ?2, ready_at = ?3, queue = ?4, lapses = ?5, leased_at_seq = ?6, remote = ?8,
                wake_on = NULL
            WHERE tenant = ?7 AND run IN (""", "?", ")");

    private static final ManyRows CHOOSE_VERSION =
            new ManyRows(1, "UPDATE run SET version = ?1 WHERE row IN (", "?", ")");

    private static final String NEXT_READY =
            "SELECT min(ready_at) FROM run_message WHERE tenant = ? AND queue = ? AND ready_at > ? AND ready_at < ?";

    private static final String EXTEND_RUN =
            "UPDATE run_message SET ready_at = ?, lease_nanos = ? WHERE tenant = ? AND run = ? AND token = ?";

    private static final String HELD_MESSAGE =
            "SELECT row, queue, ready_at FROM message WHERE tenant = ? AND id = ? AND token = ?";

    private static final String EXTEND_MESSAGE = "UPDATE message SET ready_at = ?, lease_nanos = ? WHERE row = ?";

    private record HeldMessage(long row, long queue, long ends) {
        static HeldMessage of(Row row) throws SQLException {
            return new HeldMessage(row.integer(1), row.integer(2), row.integer(3));
        }
    }

    private record Candidate(
            RunId run,
            boolean taken,
            int lapses,
            long leasedAtSeq,
            long last,
            long row,
            int retentionDays,
            @Nullable Instant deadline,
            boolean tied) {
        static Candidate of(Row row) throws SQLException {
            return new Candidate(
                    new RunId(row.uuid(1)),
                    row.small(2) == 1,
                    row.small(3),
                    row.integer(4),
                    row.integer(5),
                    row.integer(6),
                    row.small(7),
                    row.timeOrNull(8),
                    row.small(9) == 1);
        }

        /** Taken while the lease before was never given back: that one has lapsed. An event since then starts the count anew. */
        int lapsesOnceTaken() {
            boolean progress = last > leasedAtSeq;
            return !taken ? lapses : progress ? 1 : lapses + 1;
        }

        HeldRun heldBy(TenantId tenant, Line line, UUID token) {
            HeldRun.Traits traits = new HeldRun.Traits(line.workflow(), line.version(), retentionDays, deadline, tied);
            return new HeldRun(tenant, run, row, traits, token, last);
        }
    }

    /** What runs that are taken alike share. */
    private record Share(QueueName queue, int lapses, long last) {}

    private final Transaction transaction;
    private final Session session;

    Claims(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    Claimed claim(ClaimRuns request) {
        new StepBack(transaction).repair();
        List<Line> lines = request.lines();
        List<Deque<Candidate>> waiting = new ArrayList<>();
        for (Line line : lines) {
            waiting.add(new ArrayDeque<>(due(request, line)));
        }
        Taking taking = new Taking(request);
        boolean any = true;
        while (any) {
            any = false;
            for (int at = 0; at < lines.size() && taking.claimed.size() < request.max(); at++) {
                Candidate candidate = waiting.get(at).poll();
                if (candidate != null) {
                    any = true;
                    taking.add(lines.get(at), candidate);
                }
            }
        }
        taking.write();
        return new Claimed(taking.claimed, nextReady(request.tenant(), lines));
    }

    private List<Candidate> due(ClaimRuns request, Line line) {
        return session.list(
                (request.reclaimsAt(transaction.now()) ? DUE : DUE_AND_FRESH) + Session.limit(request.max()),
                Candidate::of,
                transaction.nowMicros(),
                request.tenant().value(),
                line.queue().value());
    }

    /** The runs that one claim takes, gathered so that those that are taken alike are written together. */
    private final class Taking {
        final List<ClaimedRun> claimed = new ArrayList<>();
        private final ClaimRuns request;
        private final UUID token;
        private final Instant ends;
        private final Map<Line, QueueName> queues = new HashMap<>();
        private final Map<Share, List<UUID>> shares = new LinkedHashMap<>();
        private final Map<Integer, List<Long>> versions = new LinkedHashMap<>();

        Taking(ClaimRuns request) {
            this.request = request;
            token = request.lease().token();
            ends = Due.in(request.lease().length()).fixedAt(transaction.now());
        }

        void add(Line line, Candidate run) {
            QueueName queue = queues.computeIfAbsent(line, Line::becomes);
            int lapses = run.lapsesOnceTaken();
            shares.computeIfAbsent(new Share(queue, lapses, run.last()), _ -> new ArrayList<>())
                    .add(run.run().value());
            if (!queue.equals(line.queue())) {
                versions.computeIfAbsent(line.version(), _ -> new ArrayList<>()).add(run.row());
            }
            transaction.held.remember(run.heldBy(request.tenant(), line, token));
            Receipt receipt = new Receipt(MessageId.of(run.run()), token);
            claimed.add(new ClaimedRun(run.run(), line.workflow(), line.version(), receipt, lapses, ends));
        }

        void write() {
            shares.forEach(
                    (share, runs) -> TAKE.each(common(share), runs, (sql, values, _) -> session.update(sql, values)));
            versions.forEach((version, rows) ->
                    CHOOSE_VERSION.each(List.of(version), rows, (sql, values, _) -> session.update(sql, values)));
        }

        private List<Object> common(Share share) {
            return List.of(
                    token,
                    request.lease().length().toNanos(),
                    ends,
                    share.queue().value(),
                    share.lapses(),
                    share.last(),
                    request.tenant().value(),
                    request.lease().isRemote());
        }
    }

    private @Nullable Instant nextReady(TenantId tenant, List<Line> lines) {
        return lines.stream()
                .flatMap(line -> session
                        .first(
                                NEXT_READY,
                                row -> Optional.ofNullable(row.timeOrNull(1)),
                                tenant.value(),
                                line.queue().value(),
                                transaction.nowMicros(),
                                Due.FAR_FUTURE)
                        .flatMap(time -> time)
                        .stream())
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Ids of runs and of messages are two spaces: the token tells which of the two is meant. */
    Extended extend(Extend extend) {
        Instant ends = Due.in(extend.length()).fixedAt(transaction.now());
        Receipt receipt = extend.receipt();
        boolean held = !receipt.token().equals(Bytes.NIL) && (extendRun(extend, ends) || extendMessage(extend, ends));
        if (held) {
            return new Extended.Until(ends);
        }
        return new Extended.Lost(session.first(
                        "SELECT status FROM run WHERE tenant = ? AND id = ?",
                        row -> RunFacts.status(row.text(1)),
                        extend.tenant().value(),
                        receipt.message().value())
                .orElse(null));
    }

    private boolean extendRun(Extend extend, Instant ends) {
        return session.update(
                        EXTEND_RUN,
                        ends,
                        extend.length().toNanos(),
                        extend.tenant().value(),
                        extend.receipt().message().value(),
                        extend.receipt().token())
                == 1;
    }

    private boolean extendMessage(Extend extend, Instant ends) {
        Receipt receipt = extend.receipt();
        Optional<HeldMessage> found = session.first(
                HELD_MESSAGE,
                HeldMessage::of,
                extend.tenant().value(),
                receipt.message().value(),
                receipt.token());
        found.ifPresent(message -> {
            long endsMicros = Times.micros(ends);
            session.update(EXTEND_MESSAGE, endsMicros, extend.length().toNanos(), message.row());
            transaction.calendar().takeLeased(message.queue(), message.ends());
            transaction.calendar().putLeased(message.queue(), endsMicros, 1);
            transaction.leased.extend(extend.tenant(), receipt.message(), receipt.token(), endsMicros);
        });
        return found.isPresent();
    }
}
