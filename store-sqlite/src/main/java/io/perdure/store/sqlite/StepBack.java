package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Times;
import io.perdure.sdk.history.Due;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Repairs leases after the clock went back. A lease that then ends further ahead than twice its length is shortened to one length from now. Its
 * token stays: a live holder confirms it by its next extension, and a dead one loses it one length later.
 *
 * <p>One call repairs the whole file, in the writer's transaction. From then on the clock that went back is the clock: what it shows is the
 * latest time again, and nothing needs to be looked for until it goes back once more. The highest time stays as it was ({@link SeenTimes}).
 */
final class StepBack {
    static final String SHORTEN_RUNS = """
            UPDATE run_message AS m SET ready_at = min(?2, ?1 + (m.lease_nanos + 999) / 1000) WHERE\s""" + LeaseTimes.TOO_LONG;

    /** Goes from queue to queue: what is due, be it a million, is elsewhere in the index. */
    static final String TOO_LONG_MESSAGES = """
            SELECT m.row, m.queue, m.ready_at, m.lease_nanos
            FROM queue q CROSS JOIN message m ON m.queue = q.id AND m.blocked = 0
            WHERE\s""" + LeaseTimes.TOO_LONG;

    private static final String SHORTEN_MESSAGE = "UPDATE message SET ready_at = ? WHERE row = ?";

    private record TooLong(long row, long queue, long ends, long leaseNanos) {
        static TooLong of(Row row) throws SQLException {
            return new TooLong(row.integer(1), row.integer(2), row.integer(3), row.integer(4));
        }
    }

    private final Transaction transaction;
    private final Session session;

    StepBack(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    /** Repairs leases if the clock went back since they were repaired last. */
    void repair() {
        if (!transaction.clockWentBack()) {
            return;
        }
        long now = transaction.nowMicros();
        session.update(SHORTEN_RUNS, now, Due.FAR_FUTURE);
        List<TooLong> messages = session.list(TOO_LONG_MESSAGES, TooLong::of, now);
        for (TooLong message : messages) {
            Duration length = Duration.ofNanos(message.leaseNanos());
            long ends = Times.micros(Due.in(length).fixedAt(transaction.now()));
            session.update(SHORTEN_MESSAGE, ends, message.row());
            transaction.calendar().takeLeased(message.queue(), message.ends());
            transaction.calendar().putLeased(message.queue(), ends, 1);
        }
        // It remembers when leases end.
        transaction.leased.forget();
        transaction.restartClock();
    }
}
