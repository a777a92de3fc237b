package io.perdure.store.postgres;

import io.perdure.core.store.Finding;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks whether the server cleans up after Perdure, whose busy tables are little but dead rows soon, and what keeps it from that. */
final class Vacuum {
    /**
     * What is too much.
     *
     * @param open since when a transaction is
     * @param deadRows of one table, where fewer are alive. A queue at full speed leaves a million between two visits of autovacuum,
     *     which come every minute
     * @param transactions since which the server should have been through all tables; it does so by itself after
     *     autovacuum_freeze_max_age, and takes no writes after two billion
     */
    record Bounds(Duration open, long deadRows, long transactions) {}

    static final Bounds BOUNDS = new Bounds(Duration.ofHours(1), 5_000_000, 1_200_000_000);

    private static final int MOST_NAMED = 3;

    private final Session session;
    private final PostgresUrl url;
    private final Bounds bounds;
    private final List<Finding> findings = new ArrayList<>();

    Vacuum(Session session, PostgresUrl url, Bounds bounds) {
        this.session = session;
        this.url = url;
        this.bounds = bounds;
    }

    /** Reads the server's settings, as they are for sessions that set nothing, out of what it is given. */
    List<Finding> findings(Map<String, String> settings) throws SQLException {
        String[] tables = SchemaPart.made().stream()
                .filter(part -> part.is("table"))
                .map(SchemaPart::name)
                .toArray(String[]::new);
        for (String name : List.of("autovacuum", "track_counts")) {
            if ("off".equals(settings.get(name))) {
                findings.add(Finding.warning(
                        "vacuum",
                        name + " is off: dead rows of busy tables stay, and everything gets slower.",
                        "Turn it on in postgresql.conf."));
            }
        }
        spared(tables);
        deadRows(tables);
        age();
        transactions();
        return findings;
    }

    private void spared(String[] tables) throws SQLException {
        List<String> spared = session.list("""
                SELECT c.relname FROM pg_class c JOIN pg_namespace space ON space.oid = c.relnamespace
                LEFT JOIN pg_class aside ON aside.oid = c.reltoastrelid
                WHERE space.nspname = ? AND c.relname = ANY (?) AND EXISTS (
                    SELECT FROM pg_options_to_table(c.reloptions || aside.reloptions)
                    WHERE option_name = 'autovacuum_enabled' AND NOT option_value::boolean)
                ORDER BY c.relname
                """, row -> row.text(1), url.schema(), tables);
        if (!spared.isEmpty()) {
            findings.add(Finding.warning(
                    "vacuum",
                    "autovacuum_enabled is off for %s: dead rows stay there, and everything gets slower."
                            .formatted(String.join(", ", spared)),
                    "Run ALTER TABLE ... RESET (autovacuum_enabled, toast.autovacuum_enabled) for each."));
        }
    }

    private void deadRows(String[] tables) throws SQLException {
        List<String> full = session.list("""
                SELECT relname || ' has ' || n_dead_tup || ' beside ' || n_live_tup || ' that live'
                FROM pg_stat_all_tables
                WHERE schemaname = ? AND relname = ANY (?) AND n_dead_tup > ? AND n_dead_tup > n_live_tup
                ORDER BY n_dead_tup DESC
                """, row -> row.text(1), url.schema(), tables, bounds.deadRows());
        if (!full.isEmpty()) {
            findings.add(
                    Finding.warning(
                            "vacuum",
                            "Dead rows are not cleaned up: %s.".formatted(String.join(", ", full)),
                            "End what holds them, if anything does: transactions and replication slots. Then run VACUUM for each."));
        }
    }

    private void age() throws SQLException {
        long age = session.number("SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database()");
        if (age > bounds.transactions()) {
            findings.add(
                    Finding.warning(
                            "vacuum",
                            "The oldest row that is not frozen is %s transactions old; after 2146 million the server takes no writes."
                                    .formatted(age),
                            "End what holds vacuum back, transactions and replication slots, and run VACUUM in this database."));
        }
    }

    /** Autovacuum itself holds nothing. Whoever may not read all statistics does not see when others began. */
    private void transactions() throws SQLException {
        List<String> open = session.list("""
                SELECT what FROM (
                    SELECT 'process ' || pid || ' (' || coalesce(nullif(application_name, ''), 'no name') || ')' AS what,
                        xact_start AS since
                    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                        AND backend_type <> 'autovacuum worker'
                    UNION ALL
                    SELECT 'prepared transaction ' || quote_literal(gid), prepared
                    FROM pg_prepared_xacts WHERE database = current_database()
                ) open WHERE since < clock_timestamp() - ? * interval '1 millisecond' ORDER BY since LIMIT ?
                """, row -> row.text(1), bounds.open().toMillis(), MOST_NAMED);
        if (!open.isEmpty()) {
            findings.add(Finding.warning(
                    "transactions",
                    "Open for more than %s minutes: %s. Dead rows cannot be cleaned up meanwhile."
                            .formatted(bounds.open().toMinutes(), String.join(", ", open)),
                    "End them, by their programs, by pg_terminate_backend or by ROLLBACK PREPARED."));
        }
        session.first("SELECT current_user WHERE NOT pg_has_role('pg_read_all_stats', 'USAGE')", row -> row.text(1))
                .ifPresent(role -> findings.add(Finding.ok(
                        "transactions",
                        "%s sees how long its own are open; GRANT pg_read_all_stats shows it all.".formatted(role))));
    }
}
