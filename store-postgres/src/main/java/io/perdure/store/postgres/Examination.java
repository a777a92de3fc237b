package io.perdure.store.postgres;

import io.perdure.core.store.Finding;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks a database over, by one connection and nothing but questions. */
final class Examination {
    private static final int CLOCK_SAMPLES = 5;
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(2);

    private final PostgresUrl url;
    private final Environment environment;
    private final List<Finding> findings = new ArrayList<>();

    Examination(PostgresUrl url, Environment environment) {
        this.url = url;
        this.environment = environment;
    }

    List<Finding> findings() {
        long begun = environment.nanoTime();
        try (Connection connection = Pools.connect(url)) {
            long millis = (environment.nanoTime() - begun) / 1_000_000;
            look(connection, new Session(connection, new SchemaName(url.schema()), ""), millis);
        } catch (SQLException e) {
            findings.add(Finding.problem("store", PostgresErrors.of(e, url)));
        } catch (StoreException e) {
            findings.add(unreachable(e));
        }
        return findings;
    }

    /** A pooler refuses what is sent to it in the first packet, in words of its own. */
    private static Finding unreachable(StoreException e) {
        return e.what().contains("startup parameter")
                ? Finding.problem(
                        "store",
                        e.code().code() + " " + e.what(),
                        "There is a pooler in front of the server: add perdure.pooler=transaction to the URL.")
                : Finding.problem("store", e);
    }

    private void look(Connection connection, Session session, long millis) throws SQLException {
        String version = connection.getMetaData().getDatabaseProductVersion();
        findings.add(Finding.ok("store", "%s answers, Postgres %s, after %s ms.".formatted(url, version, millis)));
        found("version", () -> {
            Migrations.checkServer(connection.getMetaData().getDatabaseMajorVersion(), url);
            return Optional.empty();
        });
        found("primary", () -> primary(session));
        boolean whole = schema(session);
        found("clock", () -> Optional.of(clock(session)));
        if (whole) {
            findings.addAll(new Privileges(session, url).findings());
        }
        findings.addAll(new ServerSettings(session, url).findings());
    }

    private interface Check {
        Optional<Finding> look() throws SQLException;
    }

    /** One thing that cannot be found out keeps no other from it. */
    private void found(String about, Check check) {
        try {
            check.look().ifPresent(findings::add);
        } catch (SQLException e) {
            findings.add(Finding.problem(about, PostgresErrors.of(e, url)));
        } catch (StoreException e) {
            findings.add(Finding.problem(about, e));
        }
    }

    private static Optional<Finding> primary(Session session) throws SQLException {
        boolean standby =
                session.first("SELECT pg_is_in_recovery()", row -> row.flag(1)).orElseThrow();
        boolean readOnly = session.first("SELECT current_setting('transaction_read_only') = 'on'", row -> row.flag(1))
                .orElseThrow();
        if (standby) {
            return Optional.of(Finding.problem(
                    "primary", "The server is a standby, which takes no writes.", "Name the primary in the URL."));
        }
        return readOnly
                ? Optional.of(Finding.problem(
                        "primary",
                        "Transactions are read-only (default_transaction_read_only).",
                        "Turn that off for the server, the database or the role."))
                : Optional.empty();
    }

    /** Whether all migrations of this release were applied, and none of a newer one. */
    private boolean schema(Session session) {
        int before = findings.size();
        found("schema", () -> {
            List<Applied> applied = Applied.look(session, url);
            Applied.check(applied, Migrations.ALL, url);
            return Optional.of(schema(applied));
        });
        boolean whole = findings.subList(before, findings.size()).stream()
                .allMatch(finding -> finding.level() == Finding.Level.OK);
        if (whole) {
            found("tables", () -> {
                findings.addAll(SchemaDifference.of(session, url).findings());
                return Optional.empty();
            });
        }
        found("indexes", () -> broken(session));
        return whole;
    }

    private Finding schema(List<Applied> applied) {
        int known = Migrations.ALL.size();
        List<Integer> numbers = applied.stream().map(Applied::number).toList();
        List<String> missing = Migrations.ALL.stream()
                .filter(migration -> !numbers.contains(migration.number()))
                .map(Migration::name)
                .toList();
        if (applied.isEmpty()) {
            return Finding.problem(
                    "schema",
                    "There are no tables of Perdure's in the schema \"%s\" yet.".formatted(url.schema()),
                    "Run `perdure migrate`, or start what is to use it.");
        }
        if (!missing.isEmpty()) {
            String found = "The schema \"%s\" lacks %s.".formatted(url.schema(), String.join(", ", missing));
            return url.migrate() == PostgresUrl.Migrate.CHECK
                    ? Finding.problem(
                            "schema",
                            found,
                            "Run `perdure migrate`: perdure.migrate=check lets no process start before.")
                    : Finding.warning(
                            "schema", found, "Run `perdure migrate`, or let the next process that opens it do so.");
        }
        int newest = numbers.stream().mapToInt(Integer::intValue).max().orElse(known);
        return newest > known
                ? Finding.warning(
                        "schema",
                        "A newer release has brought it to migration %s; this one knows %s, and still works with it."
                                .formatted(newest, known),
                        "Go on with the deployment of the newer release.")
                : Finding.ok(
                        "schema", "Migration %s, the newest, each with the text of this release.".formatted(known));
    }

    private Optional<Finding> broken(Session session) throws SQLException {
        List<String> names = session.list("""
                SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
                JOIN pg_namespace space ON space.oid = relnamespace
                WHERE space.nspname = ? AND NOT (indisvalid AND indisready)
                """, row -> row.text(1), url.schema());
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.problem(
                        "indexes",
                        "Postgres does not use %s: building it was broken off.".formatted(String.join(", ", names)),
                        "Run REINDEX INDEX for each."));
    }

    /** The difference is known to half a round trip, so that the quickest of a few tells most. */
    private Finding clock(Session session) throws SQLException {
        Duration offset = Duration.ZERO;
        long quickest = Long.MAX_VALUE;
        for (int sample = 0; sample < CLOCK_SAMPLES; sample++) {
            long begun = environment.nanoTime();
            Instant here = environment.clock().instant();
            Instant there = session.first(
                            "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint", row -> row.time(1))
                    .orElseThrow();
            long took = environment.nanoTime() - begun;
            if (took < quickest) {
                quickest = took;
                offset = Duration.between(here.plusNanos(took / 2), there);
            }
        }
        String found = "The server's clock is %s ms %s this machine's, to within %s ms."
                .formatted(
                        Math.abs(offset.toMillis()),
                        offset.isNegative() ? "behind" : "ahead of",
                        quickest / 2 / 1_000_000 + 1);
        return offset.abs().minusNanos(quickest / 2).compareTo(CLOCK_SLACK) > 0
                ? Finding.warning(
                        "clock",
                        found,
                        "Have both set by NTP. The server's decides what is due; what people and logs say here is off by that.")
                : Finding.ok("clock", found);
    }
}
