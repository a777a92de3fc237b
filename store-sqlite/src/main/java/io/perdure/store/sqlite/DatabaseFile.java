package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/**
 * A database file at a place that was checked, and the only way to connect to it.
 *
 * <p>Nothing in this process may open the file, or the two that SQLite keeps beside it, by other means than SQLite, not even to
 * read: closing any descriptor of a file drops all locks that the process has on it (POSIX), SQLite's too. So their existence,
 * size and attributes are asked for, never their content.
 *
 * <p>Safe for many threads; each session is for one at a time.
 */
final class DatabaseFile {
    /** As long as {@code busy_timeout}: where SQLite itself has waited, it was enough. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static final long PAUSE_NANOS = 10_000_000;

    private final Path path;

    private DatabaseFile(Path path) {
        this.path = path;
    }

    /**
     * Checks the place: throws {@code PD-208} where no database can be, {@code PD-209} where it would not be safe. Creates
     * nothing.
     */
    static DatabaseFile at(Path path) {
        return new DatabaseFile(Place.check(path));
    }

    /** Absolute, and without symbolic links. */
    Path path() {
        return path;
    }

    /**
     * Opens a connection to write through, and before that creates the database or brings its schema up to date. What is not
     * Perdure's is refused with {@code PD-206} and left as it is; so is what a newer Perdure wrote, with {@code PD-207}.
     */
    Session openWriter() {
        Session session = connect(config(true));
        return ready(session, () -> {
            settle(session, Pragma.WRITER);
            prepare(session);
            Migrations.apply(session, path);
        });
    }

    /** Opens a connection that cannot write, to a database that a writer has been opened on before. */
    Session openReader() {
        Session session = connect(config(false));
        return ready(session, () -> {
            settle(session, Pragma.READER);
            Identity found = Identity.of(session).check(path, Migrations.newest());
            if (found.isEmpty()) {
                throw new StoreException(ErrorCode.NOT_A_STORE, "The database %s is empty.".formatted(path));
            }
        });
    }

    /**
     * Opens a connection that changes nothing, to whatever is there. Where there is a log it is opened to read only, for whoever else closes last copies the log
     * back. Where there is none, who reads only would leave an empty one behind.
     */
    Session openToLook() {
        SQLiteConfig config = config(false);
        config.setReadOnly(Files.exists(path.resolveSibling(path.getFileName() + "-wal")));
        Session session = connect(config);
        return ready(session, () -> {
            session.execute("PRAGMA busy_timeout = " + Pragma.BUSY_TIMEOUT_MILLIS);
            session.execute("PRAGMA query_only = ON");
        });
    }

    /**
     * The version of the schema, 0 where there is no database yet; creates nothing. Throws {@code PD-206} or {@code PD-207} where
     * it is none of ours to change.
     */
    long version() {
        if (path.toFile().length() == 0) {
            Place.refuseOrphanedLog(path);
            return 0;
        }
        try (Session session = connect(config(false))) {
            return Identity.of(session).check(path, Migrations.newest()).version();
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private Session connect(SQLiteConfig config) {
        Place.refuseOrphanedLog(path);
        try {
            // As a URI, because in a plain path the driver takes what follows a ? for parameters.
            Connection connection = config.createConnection(SqliteUrl.PREFIX + path.toUri());
            leaveTransactionsToSessions(connection);
            return new Session(connection, path);
        } catch (SQLException e) {
            throw SqliteErrors.of(e, path);
        }
    }

    /**
     * Keeps the driver out of transactions. In its autocommit mode it tries a BEGIN and a COMMIT of its own after each statement:
     * 1 of the 3 microseconds that an insert takes. Only the flag is changed here; {@code setAutoCommit(false)} would begin a
     * transaction. SQLite itself then commits what stands outside of BEGIN and COMMIT, as it always does.
     */
    private static void leaveTransactionsToSessions(Connection connection) throws SQLException {
        connection.unwrap(SQLiteConnection.class).getConnectionConfig().setAutoCommit(false);
    }

    private static SQLiteConfig config(boolean create) {
        SQLiteConfig config = new SQLiteConfig();
        if (!create) {
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        // A session is for one thread at a time: SQLite need not lock the connection for every call. 4 of 100
        // instructions.
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        // Otherwise the driver asks for the row's number after each insert.
        config.setGetGeneratedKeys(false);
        return config;
    }

    private void settle(Session session, List<Pragma> pragmas) {
        SqliteVersion.check(session);
        for (Pragma pragma : pragmas) {
            pragma.set(session, path);
        }
    }

    /**
     * Chooses what stays with the file. Each is a transaction of its own; whoever crashes between leaves an empty database.
     *
     * <p>Of those who switch a file to WAL at the same moment SQLite tells some at once that it is busy, whatever
     * {@code busy_timeout} says (1 of 3,600 openings by four processes). So they wait here, and look again.
     */
    private void prepare(Session session) {
        long begun = System.nanoTime();
        while (true) {
            try {
                if (Identity.of(session).check(path, Migrations.newest()).isEmpty()) {
                    chooseAutoVacuum(session);
                }
                if (!Pragma.JOURNAL_MODE.holds(session)) {
                    Pragma.JOURNAL_MODE.set(session, path);
                }
                return;
            } catch (StoreException e) {
                if (e.code() != ErrorCode.STORE_BUSY || System.nanoTime() - begun > PATIENCE_NANOS) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void chooseAutoVacuum(Session session) {
        session.execute("PRAGMA %s = %s".formatted(Pragma.AUTO_VACUUM.name(), Pragma.AUTO_VACUUM.value()));
        if (!Pragma.AUTO_VACUUM.holds(session)) {
            // An empty database that another program has left: its one page is written anew.
            session.execute("VACUUM");
        }
    }

    /** Hands the session out, or closes it where it could not be made ready. */
    private static Session ready(Session session, Runnable steps) {
        try {
            steps.run();
            return session;
        } catch (RuntimeException e) {
            try {
                session.close();
            } catch (RuntimeException unclosed) {
                e.addSuppressed(unclosed);
            }
            throw e;
        }
    }
}
