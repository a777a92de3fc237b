package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * One setting of SQLite. None is left to the default of whoever built the library. {@code docs/reference/sqlite.md} says why
 * each is as it is, and a test holds the page to this list.
 *
 * @param name of the setting
 * @param value what it is set to
 * @param answer what SQLite says when it is asked after that
 */
record Pragma(String name, String value, String answer) {
    /** How long a connection waits for another's lock. */
    static final String BUSY_TIMEOUT_MILLIS = "5000";

    /** Of every connection. They touch nothing in the file. */
    private static final List<Pragma> ALL = List.of(
            new Pragma("busy_timeout", BUSY_TIMEOUT_MILLIS, BUSY_TIMEOUT_MILLIS),
            new Pragma("locking_mode", "NORMAL", "normal"),
            new Pragma("foreign_keys", "OFF", "0"),
            new Pragma("trusted_schema", "OFF", "0"),
            new Pragma("cell_size_check", "ON", "1"),
            new Pragma("mmap_size", "0", "0"),
            new Pragma("temp_store", "MEMORY", "2"));

    static final List<Pragma> WRITER = and(
            ALL,
            new Pragma("synchronous", "FULL", "2"),
            new Pragma("fullfsync", "ON", "1"),
            new Pragma("checkpoint_fullfsync", "ON", "1"),
            new Pragma("wal_autocheckpoint", "0", "0"),
            new Pragma("journal_size_limit", "67108864", "67108864"),
            new Pragma("cache_size", "-16384", "-16384"));

    static final List<Pragma> READER =
            and(ALL, new Pragma("query_only", "ON", "1"), new Pragma("cache_size", "-4096", "-4096"));

    /** Stays with the file. It can be chosen only while there is no table. */
    static final Pragma AUTO_VACUUM = new Pragma("auto_vacuum", "INCREMENTAL", "2");

    /** Stays with the file. */
    static final Pragma JOURNAL_MODE = new Pragma("journal_mode", "WAL", "wal");

    /** Sets it, and throws where SQLite kept something else, which it does in silence. */
    void set(Session session, Path file) {
        session.execute("PRAGMA " + name + " = " + value);
        if (!holds(session)) {
            throw new StoreException(
                    ErrorCode.STORE_FAILED,
                    "SQLite keeps PRAGMA %s of %s at %s, though it was set to %s."
                            .formatted(name, file, current(session), value));
        }
    }

    /** Whether it is so already. */
    boolean holds(Session session) {
        return current(session).equals(answer);
    }

    private String current(Session session) {
        return session.first("PRAGMA " + name, row -> row.text(1)).orElse("nothing");
    }

    private static List<Pragma> and(List<Pragma> some, Pragma... others) {
        return Stream.concat(some.stream(), Stream.of(others)).toList();
    }
}
