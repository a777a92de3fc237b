package io.perdure.store.postgres;

import io.perdure.core.store.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks at what copies of the server keep it from throwing away: its log, and the dead rows of all tables. */
final class Replication {
    /**
     * What is too much.
     *
     * @param log of which a slot keeps more bytes than that
     * @param transactions since the oldest that a copy may still have to see
     */
    record Bounds(long log, long transactions) {}

    static final Bounds BOUNDS = new Bounds(10L << 30, 5_000_000);

    private final Session session;
    private final Bounds bounds;
    private final List<Finding> findings = new ArrayList<>();

    Replication(Session session, Bounds bounds) {
        this.session = session;
        this.bounds = bounds;
    }

    List<Finding> findings() throws SQLException {
        log();
        deadRows();
        return findings;
    }

    /** A slot that was left behind too far keeps nothing any more. */
    private void log() throws SQLException {
        List<String> kept = session.list("""
                SELECT slot_name || ' keeps ' || pg_size_pretty(bytes) || CASE WHEN active THEN '' ELSE ', and nobody reads it' END
                FROM (SELECT slot_name, active, pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                    ELSE pg_current_wal_lsn() END, restart_lsn) AS bytes
                    FROM pg_replication_slots WHERE wal_status <> 'lost') slot
                WHERE bytes > ? ORDER BY bytes DESC
                """, row -> row.text(1), bounds.log());
        if (!kept.isEmpty()) {
            findings.add(
                    Finding.warning(
                            "replication",
                            "The server's log fills the disk: the slot %s.".formatted(String.join("; the slot ", kept)),
                            "Have its reader catch up, or give it up by pg_drop_replication_slot. max_slot_wal_keep_size bounds them all."));
        }
    }

    /** Standbys tell what their queries may still have to see (hot_standby_feedback), and slots remember it when they are gone. */
    private void deadRows() throws SQLException {
        List<String> holders = session.list("""
                SELECT what FROM (
                    SELECT 'the slot ' || slot_name AS what, age(xmin) AS age FROM pg_replication_slots
                    UNION ALL
                    SELECT 'the standby ' || coalesce(nullif(application_name, ''), 'without a name'), age(backend_xmin)
                    FROM pg_stat_replication
                ) holder WHERE age > ? ORDER BY age DESC, what
                """, row -> row.text(1), bounds.transactions());
        if (!holders.isEmpty()) {
            findings.add(
                    Finding.warning(
                            "replication",
                            "Held for more than %s transactions by %s: dead rows cannot be cleaned up meanwhile."
                                    .formatted(bounds.transactions(), String.join(", ", holders)),
                            "End the long query on the standby; give up a slot whose reader is gone by pg_drop_replication_slot."));
        }
    }
}
