package io.perdure.store.sqlite;

import io.perdure.core.store.Hint;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of the writer, and what gathers while it goes on: the hints to give once it is durable, and the figures and the
 * calendar, which are written once at its end however often they changed.
 */
final class Transaction {
    final Session session;
    final Limits limits;
    final QueueRows queues;
    final Leased leased;
    final HeldRuns held;

    private final Remembered remembered;
    private final boolean careful;
    private final long changesBefore;
    private final Set<Hint> hints = new LinkedHashSet<>();
    private final Map<Long, Figures> figures = new LinkedHashMap<>();
    private @Nullable Figures last;
    private Calendar calendar = new Calendar();
    private final Map<RunGroup, Long> runs = new LinkedHashMap<>();
    private Instant now = Instant.EPOCH;
    private long nowMicros;
    private SeenTimes seen;

    /** A figure of a queue that is counted up. */
    enum Figure {
        CAME_IN,
        WENT_OUT,
        RETRIED,
        DEAD_LETTERED,
        EXPIRED
    }

    /** By how much the figures of a queue grow in this transaction. */
    private static final class Figures {
        final long queue;
        long cameIn;
        long wentOut;
        long retried;
        long deadLettered;
        long expired;

        Figures(long queue) {
            this.queue = queue;
        }

        Figures(Figures other) {
            queue = other.queue;
            cameIn = other.cameIn;
            wentOut = other.wentOut;
            retried = other.retried;
            deadLettered = other.deadLettered;
            expired = other.expired;
        }

        void add(Figure figure, long more) {
            switch (figure) {
                case CAME_IN -> cameIn += more;
                case WENT_OUT -> wentOut += more;
                case RETRIED -> retried += more;
                case DEAD_LETTERED -> deadLettered += more;
                case EXPIRED -> expired += more;
            }
        }
    }

    private record RunGroup(TenantId tenant, WorkflowName workflow, RunStatus status) {}

    private static final String ADD_FIGURES = """
            UPDATE queue
            SET came_in = came_in + ?, went_out = went_out + ?, retried = retried + ?,
                dead_lettered = dead_lettered + ?, expired = expired + ?
            WHERE id = ?""";

    private static final String ADD_RUNS = """
            INSERT INTO run_count (tenant, workflow, status, runs) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET runs = runs + excluded.runs""";

    /**
     * @param seen the latest times that the store has seen
     * @param careful whether to do every commit on its own
     */
    Transaction(Session session, Limits limits, Remembered remembered, SeenTimes seen, boolean careful) {
        this.careful = careful;
        this.remembered = remembered;
        this.leased = remembered.leased();
        this.held = remembered.held();
        this.changesBefore = session.changes();
        this.session = session;
        this.limits = limits;
        this.queues = remembered.queues();
        this.seen = seen;
    }

    /** Begins the next call of this transaction: it reads the clock once. */
    void begin(Instant time) {
        now = time;
        nowMicros = Times.micros(time);
        seen = seen.and(nowMicros);
    }

    Instant now() {
        return now;
    }

    long nowMicros() {
        return nowMicros;
    }

    SeenTimes seen() {
        return seen;
    }

    /** Whether the clock reads less than it has since leases were repaired. Only then can one end too far ahead. */
    boolean clockWentBack() {
        return nowMicros < seen.latest();
    }

    /** Whether the clock reads less than it ever has: what was written before may bear a later time. */
    boolean isBeforeEarlierWrites() {
        return nowMicros < seen.highest();
    }

    /** Takes the time that the clock shows for the latest one, though it showed a later one before. */
    void restartClock() {
        seen = new SeenTimes(nowMicros, seen.highest());
        session.update("UPDATE clock SET latest = ?, highest = ?", seen.latest(), seen.highest());
    }

    /** Whether the quick ways that can fail as a whole are to be left alone: they failed before. */
    boolean isCareful() {
        return careful;
    }

    void hint(Hint hint) {
        hints.add(hint);
    }

    Set<Hint> hints() {
        return hints;
    }

    void count(QueueRow queue, Figure figure, long more) {
        if (last == null || last.queue != queue.id()) {
            last = figures.computeIfAbsent(queue.id(), Figures::new);
        }
        last.add(figure, more);
    }

    /** What changes in the calendar of queues. */
    Calendar calendar() {
        return calendar;
    }

    /** What had gathered at some point. */
    record Mark(Set<Hint> hints, Map<Long, Figures> figures, Calendar calendar, Map<RunGroup, Long> runs) {}

    Mark mark() {
        Map<Long, Figures> copies = new LinkedHashMap<>();
        figures.forEach((queue, more) -> copies.put(queue, new Figures(more)));
        return new Mark(new LinkedHashSet<>(hints), copies, calendar.copy(), new LinkedHashMap<>(runs));
    }

    /** Forgets what has gathered since: it was not done after all. So is what is remembered of rows. */
    void backTo(Mark mark) {
        hints.clear();
        hints.addAll(mark.hints());
        figures.clear();
        figures.putAll(mark.figures());
        last = null;
        calendar = mark.calendar();
        runs.clear();
        runs.putAll(mark.runs());
        remembered.forget();
    }

    /** Drops the figures of a queue that is deleted: another may get its number. */
    void forgetFigures(QueueRow queue) {
        figures.remove(queue.id());
        last = null;
        calendar.forget(queue);
    }

    void countRun(TenantId tenant, WorkflowName workflow, RunStatus status, long more) {
        runs.merge(new RunGroup(tenant, workflow, status), more, Long::sum);
    }

    /** Writes what gathered. The last thing before the commit. */
    void finish() {
        figures.values()
                .forEach(more -> session.update(
                        ADD_FIGURES,
                        more.cameIn,
                        more.wentOut,
                        more.retried,
                        more.deadLettered,
                        more.expired,
                        more.queue));
        calendar.write(session, nowMicros);
        runs.forEach((group, more) -> {
            if (more != 0) {
                session.update(
                        ADD_RUNS,
                        group.tenant().value(),
                        group.workflow().value(),
                        group.status().word(),
                        more);
            }
        });
        // Where nothing else changed nothing was leased either. An empty look must not wake other processes.
        if (session.changes() != changesBefore) {
            seen.write(session);
        }
    }
}
