package io.perdure.store.postgres;

import io.perdure.core.store.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Looks over what an administrator has set and Perdure cannot, or does not, set itself. */
final class ServerSettings {
    /** Beside the pool: two for leases, one that listens, one that notifies. */
    private static final int APART = Pools.LEASE_CONNECTIONS + 2;

    /** As which a pooler says that it does not do that. */
    private static final String REFUSED_BY_POOLER = "08P01";

    private final Session session;
    private final PostgresUrl url;
    private final List<Finding> findings = new ArrayList<>();

    ServerSettings(Session session, PostgresUrl url) {
        this.session = session;
        this.url = url;
    }

    List<Finding> findings() {
        try {
            // What the server has set, not this session: those are what is left where nobody sets anything.
            Map<String, String> settings = session
                    .list(
                            "SELECT name, coalesce(reset_val, '') FROM pg_settings",
                            row -> Map.entry(row.text(1), row.text(2)))
                    .stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            durability(settings);
            timeouts(settings);
            connections();
            findings.addAll(new Vacuum(session, url, Vacuum.BOUNDS).findings(settings));
            findings.addAll(new Replication(session, Replication.BOUNDS).findings());
            pooler();
        } catch (SQLException e) {
            findings.add(Finding.problem("settings", PostgresErrors.of(e, url)));
        }
        return findings;
    }

    private static boolean isOff(Map<String, String> settings, String name) {
        return "off".equals(settings.get(name));
    }

    private void durability(Map<String, String> settings) {
        List<String> off = List.of("fsync", "full_page_writes").stream()
                .filter(name -> isOff(settings, name))
                .toList();
        if (!off.isEmpty()) {
            findings.add(Finding.problem(
                    "durability",
                    "%s: a crash of the machine loses what was acknowledged, or the whole database."
                            .formatted(
                                    off.stream().map(name -> name + " is off").collect(Collectors.joining(", "))),
                    "Turn it on in postgresql.conf."));
            return;
        }
        String commit = settings.getOrDefault("synchronous_commit", "on");
        findings.add(Finding.ok(
                "durability",
                "fsync and full_page_writes are on, synchronous_commit is %s%s."
                        .formatted(commit, commit.equals("off") ? "; in Perdure's sessions on" : "")));
    }

    /** Those that Perdure sets itself do not matter. */
    private void timeouts(Map<String, String> settings) {
        for (String name : List.of("idle_session_timeout", "transaction_timeout")) {
            long millis = Long.parseLong(settings.getOrDefault(name, "0"));
            if (millis > 0 && millis < SessionSettings.IDLE_IN_TRANSACTION.toMillis() * 6) {
                findings.add(Finding.warning(
                        "timeouts",
                        "%s is %s ms: the server ends connections that rest, or work that takes its time."
                                .formatted(name, millis),
                        "Set it to 0 for the role: ALTER ROLE ... SET %s = 0.".formatted(name)));
            }
        }
    }

    /** Comes last: a pooler in statement mode hangs up on whoever begins a transaction. */
    private void pooler() throws SQLException {
        if (url.pooler() == PostgresUrl.Pooler.TRANSACTION) {
            transaction();
            return;
        }
        // What was set when connecting is not in force, or the next statement is in another session: there is somebody
        // between.
        String timeout = "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'";
        boolean lost = !session.first(timeout, row -> row.text(1))
                .orElse("")
                .equals(String.valueOf(SessionSettings.STATEMENT.toMillis()));
        long first = session.number("SELECT pg_backend_pid()");
        if (lost || session.number("SELECT pg_backend_pid()") != first) {
            findings.add(Finding.problem(
                    "pooler",
                    "What Perdure sets for a session does not hold: there is a pooler in between.",
                    "Add perdure.pooler=transaction to the URL; that is right for session mode as well."));
        }
    }

    private void transaction() throws SQLException {
        try {
            session.script("BEGIN");
            session.number("SELECT 1");
            session.script("COMMIT");
        } catch (SQLException e) {
            if (!REFUSED_BY_POOLER.equals(e.getSQLState())) {
                throw e;
            }
            findings.add(Finding.problem(
                    "pooler",
                    "A transaction of two statements is not possible: %s".formatted(e.getMessage()),
                    "Have the pooler work in transaction mode, or in session mode."));
        }
    }

    /** What kind of process another role's is, only who may read all statistics can see. */
    private void connections() throws SQLException {
        int needed = url.connections() + APART;
        long free = session.number("""
                SELECT least(
                    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                        - coalesce(current_setting('reserved_connections', true)::int, 0)
                        - (SELECT count(*) FROM pg_stat_activity
                            WHERE datid IS NOT NULL AND coalesce(backend_type, '') IN ('client backend', '')),
                    (SELECT CASE WHEN datconnlimit < 0 THEN 100000 ELSE datconnlimit END
                        - (SELECT count(*) FROM pg_stat_activity a WHERE a.datname = d.datname)
                        FROM pg_database d WHERE datname = current_database()),
                    (SELECT CASE WHEN rolconnlimit < 0 THEN 100000 ELSE rolconnlimit END
                        - (SELECT count(*) FROM pg_stat_activity a WHERE a.usename = r.rolname)
                        FROM pg_roles r WHERE rolname = current_user))
                """);
        String found = "%s connections are free; a process takes up to %s (perdure.connections=%s and %s more)."
                .formatted(Math.max(0, free), needed, url.connections(), APART);
        findings.add(
                free < needed
                        ? Finding.warning(
                                "connections",
                                found,
                                "Raise max_connections, or the limit of the role or database, or lower perdure.connections.")
                        : Finding.ok("connections", found));
    }
}
