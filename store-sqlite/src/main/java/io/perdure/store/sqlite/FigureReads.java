package io.perdure.store.sqlite;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueFigures;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the figures of a queue within a snapshot, without a look at its messages: what comes and goes is counted up, and what
 * waits for a time is in the {@link Calendar}. Only of the slot that is under way the index must say what is still to come.
 */
final class FigureReads {
    private static final String COUNTED =
            "SELECT id, came_in, went_out, retried, dead_lettered, expired FROM queue WHERE tenant = ? AND name = ?";

    static final String AHEAD =
            "SELECT coalesce(sum(delayed), 0), coalesce(sum(leased), 0) FROM queue_due WHERE queue = ? AND slot > ?";

    private static final String UNDER_WAY = "SELECT delayed, leased FROM queue_due WHERE queue = ? AND slot = ?";

    static final String STILL_TO_COME = """
            SELECT count(*) FROM message m
            WHERE m.queue = ?1 AND m.blocked IN (0, 1) AND m.ready_at > ?2 AND m.ready_at < ?3""";

    private static final String LEASED_STILL_TO_COME = STILL_TO_COME + " AND m.token <> zeroblob(16)";

    private static final String ONE_BY_ONE = """
            SELECT count(*) FILTER (WHERE m.token = zeroblob(16) AND m.ready_at <> m.sent_at), count(*) FILTER (WHERE %s)
            FROM message m
            WHERE m.queue = ?2 AND m.blocked IN (0, 1) AND m.ready_at > ?1""".formatted(LeaseTimes.LEASED);

    static final String OLDEST = """
            SELECT min(first) FROM (
                SELECT min(ready_at) AS first FROM message WHERE queue = ?2 AND blocked = 0 AND ready_at <= ?1
                UNION ALL
                SELECT min(ready_at) FROM message WHERE queue = ?2 AND blocked = 1 AND ready_at <= ?1)""";

    private record Counted(long queue, long in, long out, long retried, long deadLettered, long expired) {
        static Counted of(Row row) throws SQLException {
            return new Counted(
                    row.integer(1), row.integer(2), row.integer(3), row.integer(4), row.integer(5), row.integer(6));
        }

        long depth() {
            return in - out - deadLettered - expired;
        }
    }

    /** How many messages wait for a time. */
    private record Waiting(long delayed, long leased) {
        static final Waiting NONE = new Waiting(0, 0);

        static Waiting of(Row row) throws SQLException {
            return new Waiting(row.integer(1), row.integer(2));
        }

        Waiting plus(Waiting other) {
            return new Waiting(delayed + other.delayed, leased + other.leased);
        }
    }

    private final Session session;
    private final Moment moment;

    FigureReads(Session session, Moment moment) {
        this.session = session;
        this.moment = moment;
    }

    Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
        return session.first(COUNTED, Counted::of, tenant.value(), queue.value())
                .map(this::figures);
    }

    private QueueFigures figures(Counted counted) {
        Waiting waiting = moment.clockWentBack() ? countOneByOne(counted.queue()) : waiting(counted.queue());
        return new QueueFigures(
                counted.depth() - waiting.delayed() - waiting.leased(),
                waiting.delayed(),
                waiting.leased(),
                oldest(counted.queue()),
                counted.in(),
                counted.out(),
                counted.retried(),
                counted.deadLettered(),
                counted.expired());
    }

    private Waiting countOneByOne(long queue) {
        return session.first(ONE_BY_ONE, Waiting::of, moment.nowMicros(), queue).orElseThrow();
    }

    private Waiting waiting(long queue) {
        long slot = Calendar.slot(moment.nowMicros());
        Waiting ahead = session.first(AHEAD, Waiting::of, queue, slot).orElseThrow();
        return session.first(UNDER_WAY, Waiting::of, queue, slot)
                .map(said -> ahead.plus(stillToCome(queue, said, Calendar.begin(slot + 1))))
                .orElse(ahead);
    }

    /**
     * What there is of the slot that is under way after now. The index alone tells how many; which of them are leased, their rows
     * must tell, but not where the calendar says that all of the slot are, or none.
     */
    private Waiting stillToCome(long queue, Waiting said, long end) {
        if (said.equals(Waiting.NONE)) {
            return said;
        }
        long all = session.number(STILL_TO_COME, queue, moment.nowMicros(), end);
        if (said.leased() == 0) {
            return new Waiting(all, 0);
        }
        long leased = said.delayed() == 0 ? all : session.number(LEASED_STILL_TO_COME, queue, moment.nowMicros(), end);
        return new Waiting(all - leased, leased);
    }

    private @Nullable Instant oldest(long queue) {
        return session.first(OLDEST, row -> Optional.ofNullable(row.timeOrNull(1)), moment.nowMicros(), queue)
                .flatMap(time -> time)
                .orElse(null);
    }
}
