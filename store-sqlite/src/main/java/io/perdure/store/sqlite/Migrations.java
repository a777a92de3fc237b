package io.perdure.store.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Brings the tables of a database to what this Perdure needs. A migration is a file, numbered without gaps from 1, that is never
 * changed once released; the number of the last one applied is the database's {@code user_version}.
 *
 * <p>Each is one transaction together with its number, the first also with the mark that makes the file Perdure's. So a crash
 * leaves the schema before or after, and of several processes that open one file at once each finds out what is left to do.
 */
final class Migrations {
    /** Named here and not found by listing a folder, which a module or a jar cannot be asked for. A test compares. */
    static final List<Migration> ALL = of("0001_first.sql", "0002_leases_and_retirement.sql");

    private Migrations() {}

    /** The version after all of them. */
    static long newest() {
        return ALL.size();
    }

    /** Applies what the database lacks; throws {@code PD-206} or {@code PD-207} where it is none of ours to change. */
    static void apply(Session session, Path file) {
        apply(session, file, ALL);
    }

    static void apply(Session session, Path file, List<Migration> migrations) {
        Identity found = Identity.of(session).check(file, migrations.size());
        for (Migration migration : migrations) {
            if (found.version() < migration.version()) {
                step(session, file, migration, migrations.size());
            }
        }
    }

    private static void step(Session session, Path file, Migration migration, long newest) {
        session.execute("BEGIN IMMEDIATE");
        try {
            // Between the first look and the lock another process may have been here.
            Identity now = Identity.of(session).check(file, newest);
            if (now.version() < migration.version()) {
                if (now.isEmpty()) {
                    session.execute("PRAGMA application_id = " + Identity.PERDURE);
                }
                session.script(migration.sql());
                session.execute("PRAGMA user_version = " + migration.version());
            }
            session.execute("COMMIT");
        } catch (RuntimeException e) {
            rollBack(session, e);
            throw e;
        }
    }

    private static void rollBack(Session session, RuntimeException cause) {
        try {
            session.execute("ROLLBACK");
        } catch (RuntimeException e) {
            // After some errors, a full disk among them, SQLite has rolled back by itself.
            cause.addSuppressed(e);
        }
    }

    private static List<Migration> of(String... names) {
        return IntStream.rangeClosed(1, names.length)
                .mapToObj(version -> new Migration(version, names[version - 1], read(names[version - 1])))
                .toList();
    }

    private static String read(String name) {
        try (InputStream text = Migrations.class.getResourceAsStream("migrations/" + name)) {
            if (text == null) {
                throw new IllegalStateException("no resource migrations/" + name);
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("resource migrations/" + name, e);
        }
    }

    /**
     * One step of the schema.
     *
     * @param version what {@code user_version} is after it
     * @param name of its file
     * @param sql all statements, none of which may begin or end a transaction
     */
    record Migration(long version, String name, String sql) {}
}
