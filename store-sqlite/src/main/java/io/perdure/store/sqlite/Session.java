package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Times;
import io.perdure.sdk.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One connection and the statements prepared on it. Values are bound by what they are: an instant as its microseconds, a
 * UUID as its 16 bytes. For one thread at a time.
 */
final class Session implements AutoCloseable {
    private static final Object[] NOTHING = {};

    /** Statements that are kept prepared, at most. Some 300 texts are always the same; the others are made by limits. */
    private static final int MOST_PREPARED = 512;

    private final Connection connection;
    private final Path file;
    /** Those that were not used for longest come first. */
    private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>(MOST_PREPARED, 0.75f, true);

    /** How many results are being read; whoever makes an object of a row may read others for it. */
    private int reading;

    private long changes;
    private boolean failed;

    /**
     * Takes a connection over.
     *
     * @param file what it is connected to, for errors to name
     */
    Session(Connection connection, Path file) {
        this.connection = connection;
        this.file = file;
    }

    /** Changes rows; answers how many. */
    int update(String sql, @Nullable Object... values) {
        try {
            int rows = bound(sql, values).executeUpdate();
            changes += rows;
            return rows;
        } catch (SQLException e) {
            throw failure(sql, e);
        }
    }

    /** Reads rows. */
    <T> List<T> list(String sql, Mapper<T> mapper, @Nullable Object... values) {
        return read(sql, values, result -> {
            List<T> rows = new ArrayList<>();
            Row row = new Row(result);
            while (result.next()) {
                rows.add(mapper.map(row));
            }
            return rows;
        });
    }

    /** Reads rows until the reader returns false; returns whether it never did. */
    boolean each(String sql, Mapper<Boolean> reader, @Nullable Object... values) {
        return read(sql, values, result -> {
            Row row = new Row(result);
            boolean more = true;
            while (more && result.next()) {
                more = reader.map(row);
            }
            return more;
        });
    }

    private <T> T read(String sql, @Nullable Object[] values, Reader<T> reader) {
        try (ResultSet result = bound(sql, values).executeQuery()) {
            reading++;
            try {
                return reader.read(result);
            } finally {
                reading--;
            }
        } catch (SQLException e) {
            throw failure(sql, e);
        }
    }

    /** Reads a result to as far as is wanted. */
    @FunctionalInterface
    private interface Reader<T> {
        T read(ResultSet result) throws SQLException;
    }

    /** Changes rows and reads what they became, or were. */
    <T> List<T> change(String sql, Mapper<T> mapper, @Nullable Object... values) {
        List<T> rows = list(sql, mapper, values);
        changes += rows.size();
        return rows;
    }

    /** Reads the first row. */
    <T> Optional<T> first(String sql, Mapper<T> mapper, @Nullable Object... values) {
        return read(sql, values, result -> result.next() ? Optional.of(mapper.map(new Row(result))) : Optional.empty());
    }

    /** Reads one number that is always there. */
    long number(String sql, @Nullable Object... values) {
        return first(sql, row -> row.integer(1), values).orElseThrow();
    }

    /**
     * A limit as part of a statement's text. Bound to a parameter, SQLite would make a new plan whenever it is bound again, 60
     * microseconds each time. So there is a statement for each limit that is used, and those that are used most stay prepared.
     */
    static String limit(int rows) {
        return " LIMIT " + rows;
    }

    /** Runs a statement that changes no rows, such as {@code BEGIN}, to its end, whatever it answers. */
    void execute(String sql) {
        try {
            PreparedStatement statement = bound(sql, NOTHING);
            if (statement.execute()) {
                try (ResultSet result = statement.getResultSet()) {
                    boolean more = true;
                    while (more) {
                        // A statement that is left in the middle would keep others from their work.
                        more = result.next();
                    }
                }
            }
        } catch (SQLException e) {
            throw failure(sql, e);
        }
    }

    /** Runs all statements of a script in their order; SQLite itself finds where each ends. */
    void script(String sql) {
        try (Statement statement = connection.createStatement()) {
            // Unlike execute(), which runs the first statement and drops the others.
            statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw failure(sql, e);
        }
    }

    /** How many rows were changed through this session. */
    long changes() {
        return changes;
    }

    /** Whether a statement failed since the last {@link #forgetFailure}: SQLite may have rolled back on its own. */
    boolean hasFailed() {
        return failed;
    }

    void forgetFailure() {
        failed = false;
    }

    /** Forgets the statement: after most errors, a full disk among them, the driver has closed it, and it would fail for ever. */
    private StoreException failure(String sql, SQLException e) {
        failed = true;
        try (PreparedStatement _ = prepared.remove(sql)) {
            return SqliteErrors.of(e, file);
        } catch (SQLException unclosed) {
            e.addSuppressed(unclosed);
            return SqliteErrors.of(e, file);
        }
    }

    private PreparedStatement bound(String sql, @Nullable Object[] values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            letGoOfOldest();
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int at = 0; at < values.length; at++) {
            bind(statement, at + 1, values[at]);
        }
        return statement;
    }

    /** Makes room for one more. While a result is being read, its statement must not be closed, and so none is. */
    private void letGoOfOldest() throws SQLException {
        Iterator<PreparedStatement> oldest = prepared.values().iterator();
        while (reading == 0 && prepared.size() >= MOST_PREPARED) {
            PreparedStatement statement = oldest.next();
            oldest.remove();
            statement.close();
        }
    }

    private static void bind(PreparedStatement statement, int at, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setObject(at, null);
            case String text -> statement.setString(at, text);
            case Long number -> statement.setLong(at, number);
            case Integer number -> statement.setInt(at, number);
            case Instant time -> statement.setLong(at, Times.micros(time));
            case UUID id -> statement.setBytes(at, Bytes.of(id));
            case byte[] bytes -> statement.setBytes(at, bytes);
            case Boolean flag -> statement.setInt(at, flag ? 1 : 0);
            default -> throw new IllegalArgumentException("no column holds a " + value.getClass());
        }
    }

    @Override
    public void close() throws StoreException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw SqliteErrors.of(e, file);
        }
    }

    /** Makes an object of the row that a result is at. */
    @FunctionalInterface
    interface Mapper<T> {
        T map(Row row) throws SQLException;
    }
}
