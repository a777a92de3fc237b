package io.perdure.store.sqlite;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Line;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leases runs, and lengthens leases of runs and messages. */
final class Claims {
    private static final String FIND = """
            SELECT m.run, m.token <> zeroblob(16), m.lapses, m.leased_at_seq,
                   (SELECT max(seq) FROM event e WHERE e.tenant = m.tenant AND e.run = m.run)
            FROM run_message m
            WHERE m.tenant = ?2 AND m.queue = ?3 AND %s
            ORDER BY m.ready_at, m.run""";

    private static final String DUE = FIND.formatted(LeaseTimes.AVAILABLE);
    private static final String DUE_AFTER_STEP_BACK = FIND.formatted(LeaseTimes.AVAILABLE_AFTER_STEP_BACK);
    private static final String DUE_AND_FRESH = FIND.formatted("m.token = zeroblob(16) AND m.ready_at <= ?1");

    private static final String TAKE = """
            UPDATE run_message
            SET token = ?, lease_nanos = ?, ready_at = ?, queue = ?, lapses = ?, leased_at_seq = ?, wake_on = NULL
            WHERE tenant = ? AND run = ?""";

    private static final String NEXT_READY =
            "SELECT min(ready_at) FROM run_message WHERE tenant = ? AND queue = ? AND ready_at > ? AND ready_at < ?";

    private static final String EXTEND_RUN =
            "UPDATE run_message SET ready_at = ?, lease_nanos = ? WHERE tenant = ? AND run = ? AND token = ?";

    private static final String EXTEND_MESSAGE =
            "UPDATE message SET ready_at = ?, lease_nanos = ? WHERE tenant = ? AND id = ? AND token = ?";

    private record Candidate(RunId run, boolean taken, int lapses, long leasedAtSeq, long last) {
        static Candidate of(Row row) throws SQLException {
            return new Candidate(
                    new RunId(row.uuid(1)), row.small(2) == 1, row.small(3), row.integer(4), row.integer(5));
        }
    }

    private final Transaction transaction;
    private final Session session;

    Claims(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    Claimed claim(ClaimRuns request) {
        List<Line> lines = request.lines();
        List<Deque<Candidate>> waiting = new ArrayList<>();
        for (Line line : lines) {
            waiting.add(new ArrayDeque<>(due(request, line)));
        }
        List<ClaimedRun> claimed = new ArrayList<>();
        boolean any = true;
        while (any) {
            any = false;
            for (int at = 0; at < lines.size() && claimed.size() < request.max(); at++) {
                Candidate candidate = waiting.get(at).poll();
                if (candidate != null) {
                    any = true;
                    claimed.add(take(request, lines.get(at), candidate));
                }
            }
        }
        return new Claimed(claimed, nextReady(request.tenant(), lines));
    }

    private List<Candidate> due(ClaimRuns request, Line line) {
        return session.list(
                find(request) + Session.limit(request.max()),
                Candidate::of,
                transaction.nowMicros(),
                request.tenant().value(),
                line.queue().value());
    }

    private String find(ClaimRuns request) {
        if (!request.reclaimsAt(transaction.now())) {
            return DUE_AND_FRESH;
        }
        return transaction.clockWentBack() ? DUE_AFTER_STEP_BACK : DUE;
    }

    /** Taken while the lease before was never given back: that one has lapsed. An event since then starts the count anew. */
    private ClaimedRun take(ClaimRuns request, Line line, Candidate run) {
        Lease lease = request.lease();
        Instant ends = Due.in(lease.length()).fixedAt(transaction.now());
        boolean progress = run.last() > run.leasedAtSeq();
        int lapses = !run.taken() ? run.lapses() : progress ? 1 : run.lapses() + 1;
        QueueName queue = line.becomes();
        session.update(
                TAKE,
                lease.token(),
                lease.length().toNanos(),
                ends,
                queue.value(),
                lapses,
                run.last(),
                request.tenant().value(),
                run.run().value());
        if (!queue.equals(line.queue())) {
            session.update(
                    "UPDATE run SET version = ? WHERE tenant = ? AND id = ?",
                    line.version(),
                    request.tenant().value(),
                    run.run().value());
        }
        Receipt receipt = new Receipt(MessageId.of(run.run()), lease.token());
        return new ClaimedRun(run.run(), line.workflow(), line.version(), receipt, lapses, ends);
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
        String tenant = extend.tenant().value();
        Receipt receipt = extend.receipt();
        long length = extend.length().toNanos();
        boolean held = !receipt.token().equals(Bytes.NIL)
                && (session.update(
                                        EXTEND_RUN,
                                        ends,
                                        length,
                                        tenant,
                                        receipt.message().value(),
                                        receipt.token())
                                == 1
                        || session.update(
                                        EXTEND_MESSAGE,
                                        ends,
                                        length,
                                        tenant,
                                        receipt.message().value(),
                                        receipt.token())
                                == 1);
        if (held) {
            return new Extended.Until(ends);
        }
        return new Extended.Lost(session.first(
                        "SELECT status FROM run WHERE tenant = ? AND id = ?",
                        row -> RunFacts.status(row.text(1)),
                        tenant,
                        receipt.message().value())
                .orElse(null));
    }
}
