package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.id.ProcessId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Asks whether other processes did something: for behind a pooler, where nobody can listen. One query tells for all queues. It
 * is asked again soon after there was something or somebody began to wait, and then more and more seldom.
 *
 * <p>Whatever comes in or ends does so in a flush, which adds a batch to its lane; our own lanes are left out, since
 * of those we know. Beside flushes only a receive that gives messages up and a sweep make others ready; those are counted in
 * lanes of their backends, below 0, and go over to lane 0, which leaves the sum as it is. What becomes ready by itself, when a delay or a lease ends, receivers know.
 */
final class Polling implements Hearing {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration SELDOM = Duration.ofSeconds(5);

    /**
     * So many of our own processes are left out, at most. A lane whose batch went unanswered for long begins anew as one of another process; the lanes
     * that are in use are announced again and again.
     */
    static final int MOST_OWN = 256;

    private static final String STATE = """
            SELECT concat_ws(' ',
                (SELECT concat_ws(' ', sum(l.id), sum((
                     SELECT b.number FROM perdure.lane_batch b WHERE b.process = l.process AND b.lane = l.number
                     ORDER BY b.number DESC LIMIT 1)))
                 FROM perdure.lane l WHERE l.process <> ALL (?)),
                (SELECT sum((SELECT sum(c.dead_lettered + c.expired) FROM perdure.queue_count c
                             WHERE c.queue = q.id AND c.lane <= 0)) FROM perdure.queue q))""";

    private final SchemaName schema;
    private final Bell bell;
    /** The one announced last is the last; guarded by itself. */
    private final LinkedHashSet<UUID> own = new LinkedHashSet<>();

    private String state = "";
    private Duration interval = SOON;

    Polling(SchemaName schema, Bell bell) {
        this.schema = schema;
        this.bell = bell;
    }

    /** Leaves out what this process did. */
    void isOwn(ProcessId process) {
        synchronized (own) {
            own.addLast(process.value());
            if (own.size() > MOST_OWN) {
                own.removeFirst();
            }
        }
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        state = read(connection);
        interval = SOON;
    }

    @Override
    public Set<Hint> hear(Connection connection) throws SQLException, InterruptedException {
        if (bell.await(interval)) {
            interval = SOON;
        }
        String now = read(connection);
        if (now.equals(state)) {
            Duration twice = interval.multipliedBy(2);
            interval = twice.compareTo(SELDOM) < 0 ? twice : SELDOM;
            return Set.of();
        }
        state = now;
        interval = SOON;
        return Set.of(new Hint.Anything());
    }

    private String read(Connection connection) throws SQLException {
        return new Session(connection, schema, "")
                .first(STATE, row -> row.text(1), (Object) own())
                .orElseThrow();
    }

    private UUID[] own() {
        synchronized (own) {
            return own.toArray(UUID[]::new);
        }
    }

    @Override
    public void wake() {
        bell.ring();
    }
}
