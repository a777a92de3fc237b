package io.perdure.store.sqlite;

import io.perdure.sdk.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    Session(Connection connection) {
        this.connection = connection;
    }

    /** Changes rows; answers how many. */
    int update(String sql, @Nullable Object... values) {
        try {
            PreparedStatement statement = bound(sql, values);
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw SqliteErrors.of(e);
        }
    }

    /** Reads rows, or changes them and reads what they became. */
    <T> List<T> list(String sql, Mapper<T> mapper, @Nullable Object... values) {
        try (ResultSet result = bound(sql, values).executeQuery()) {
            List<T> rows = new ArrayList<>();
            Row row = new Row(result);
            while (result.next()) {
                rows.add(mapper.map(row));
            }
            return rows;
        } catch (SQLException e) {
            throw SqliteErrors.of(e);
        }
    }

    /** Reads the first row. */
    <T> Optional<T> first(String sql, Mapper<T> mapper, @Nullable Object... values) {
        try (ResultSet result = bound(sql, values).executeQuery()) {
            return result.next() ? Optional.of(mapper.map(new Row(result))) : Optional.empty();
        } catch (SQLException e) {
            throw SqliteErrors.of(e);
        }
    }

    /** Reads one number that is always there. */
    long number(String sql, @Nullable Object... values) {
        return first(sql, row -> row.integer(1), values).orElseThrow();
    }

    /** Runs statements that are neither prepared nor answered, such as {@code BEGIN}. */
    void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw SqliteErrors.of(e);
        }
    }

    /** Whether a statement runs already: then the prepared ones cannot be used by a second one of the same text. */
    private PreparedStatement bound(String sql, @Nullable Object[] values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int at = 0; at < values.length; at++) {
            bind(statement, at + 1, values[at]);
        }
        return statement;
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
            throw SqliteErrors.of(e);
        }
    }

    /** Makes an object of the row that a result is at. */
    @FunctionalInterface
    interface Mapper<T> {
        T map(Row row) throws SQLException;
    }
}
