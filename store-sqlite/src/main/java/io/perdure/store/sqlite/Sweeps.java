package io.perdure.store.sqlite;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Sweep;
import io.perdure.store.sqlite.Removals.Removed;
import io.perdure.store.sqlite.Transaction.Figure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntUnaryOperator;

/**
 * Removes rows that have served their time, those first that have been over the longest, in {@linkplain Turn transactions of bounded
 * size}. Runs are the business of {@link Retirement}.
 */
final class Sweeps {
    private static final String SWEEP_KEYS = """
            DELETE FROM claimed_key WHERE (tenant, scope, within, value) IN (
                SELECT tenant, scope, within, value FROM claimed_key
                WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)""";

    /** Slots that may go in each transaction: they are small, and every busy queue leaves 14 in a minute. */
    private static final int MOST_SLOTS = 1_000;

    /** Transactions of one sweep: a lane counts as one row with all its batches, and those may be millions. */
    private static final int MOST_TURNS = 100;

    static final String SWEEP_CALENDAR = """
            DELETE FROM queue_due WHERE (queue, slot) IN (
                SELECT queue, slot FROM queue_due WHERE slot < ? ORDER BY slot LIMIT ?)""";

    private static final String SILENT_LANE =
            "SELECT process, number, newest FROM lane WHERE last_used < ? ORDER BY last_used LIMIT 1";

    private static final String EMPTY_LANE = """
            DELETE FROM lane_batch WHERE process = ?1 AND lane = ?2 AND number IN (
                SELECT number FROM lane_batch WHERE process = ?1 AND lane = ?2 AND number < ?3 ORDER BY number LIMIT ?4)""";

    private static final String SWEEP_BATCHES = """
            DELETE FROM lane_batch WHERE (process, lane, number) IN (
                SELECT b.process, b.lane, b.number FROM lane_batch b
                JOIN lane l ON l.process = b.process AND l.number = b.lane
                WHERE b.at < ? AND b.number < l.newest ORDER BY b.at LIMIT ?)""";

    private record SilentLane(UUID process, int number, long newest) {}

    /**
     * What one transaction removed.
     *
     * @param more whether there may be more
     */
    private record Swept(int rows, boolean more) {}

    private final Transaction transaction;
    private final Session session;
    private final Turn turn = new Turn();

    private Sweeps(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    /** Removes at most {@code limit} rows; returns how many. */
    static int sweep(Writer writer, Sweep what, int limit) {
        int rows = 0;
        boolean more = true;
        for (int turns = 0; more && rows < limit && turns < MOST_TURNS; turns++) {
            int left = limit - rows;
            Swept swept = writer.write(transaction -> new Sweeps(transaction).turn(what, left));
            rows += swept.rows();
            more = swept.more();
        }
        return rows;
    }

    private Swept turn(Sweep what, int limit) {
        Instant now = transaction.now();
        return switch (what) {
            case EXPIRED_MESSAGES -> messagesAndSlots(limit);
            case RETIRED_RUNS -> throw new IllegalArgumentException("runs are not swept here");
            case DEDUPLICATION_IDS -> remove(limit, rows -> session.update(SWEEP_KEYS, now, rows));
            case LANE_BATCHES -> laneBatches(limit);
            case GONE_WORKERS -> remove(limit, rows -> new Workers(session).sweep(now, rows));
            case NOTED_REQUESTS -> {
                Instant old = now.minus(transaction.limits.remote().requestsKept());
                yield remove(limit, rows -> new Requests(session).sweep(old, rows));
            }
        };
    }

    /** Removes rows by statements of growing size, until there are none left or the transaction has done enough. */
    private Swept remove(int limit, IntUnaryOperator removal) {
        int rows = 0;
        while (rows < limit && !turn.isOver()) {
            int asked = Math.min(turn.next(), limit - rows);
            int removed = removal.applyAsInt(asked);
            turn.removed(removed);
            rows += removed;
            if (removed < asked) {
                return new Swept(rows, false);
            }
        }
        return new Swept(rows, true);
    }

    private Swept messagesAndSlots(int limit) {
        int slots = session.update(SWEEP_CALENDAR, Calendar.oldest(transaction.nowMicros()), MOST_SLOTS);
        Swept messages = remove(limit, this::expiredMessages);
        return new Swept(messages.rows(), messages.more() || slots == MOST_SLOTS);
    }

    private int expiredMessages(int limit) {
        new StepBack(transaction).repair();
        List<Removed> expired = new Removals(transaction).expired(limit);
        for (Removed message : expired) {
            QueueRow queue = transaction.queues.of(message.queue());
            transaction.count(queue, Figure.EXPIRED, 1);
            if (message.group() != null) {
                transaction.hint(new Hint.Ready(queue.tenant(), queue.name()));
            }
        }
        return expired.size();
    }

    private Swept laneBatches(int limit) {
        Instant silentSince = transaction.now().minus(transaction.limits.lanes().lanesKept());
        int lanes = 0;
        Optional<SilentLane> lane = silentLane(silentSince);
        while (lane.isPresent()) {
            if (lanes == limit || !remove(lane.get())) {
                return new Swept(lanes, true);
            }
            lanes++;
            lane = silentLane(silentSince);
        }
        Instant old = transaction.now().minus(transaction.limits.lanes().batchesKept());
        Swept batches = remove(limit - lanes, rows -> session.update(SWEEP_BATCHES, old, rows));
        return new Swept(lanes + batches.rows(), batches.more());
    }

    private Optional<SilentLane> silentLane(Instant since) {
        return session.first(SILENT_LANE, row -> new SilentLane(row.uuid(1), row.small(2), row.integer(3)), since);
    }

    /**
     * Removes a lane, or some of its batches; returns whether the lane is gone. The newest batch goes with the lane: should the lane
     * speak before that, it can still be sent again.
     */
    private boolean remove(SilentLane lane) {
        int asked;
        int removed;
        do {
            if (turn.isOver()) {
                return false;
            }
            asked = turn.next();
            removed = session.update(EMPTY_LANE, lane.process(), lane.number(), lane.newest(), asked);
            turn.removed(removed);
        } while (removed == asked);
        session.update("DELETE FROM lane_batch WHERE process = ? AND lane = ?", lane.process(), lane.number());
        turn.removed(
                session.update("DELETE FROM lane WHERE process = ? AND number = ?", lane.process(), lane.number()));
        return true;
    }
}
