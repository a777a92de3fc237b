package io.perdure.store.postgres;

import io.perdure.core.store.rows.Times;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Statements on one connection. Values are bound by what they are: an instant as its microseconds, an array as an SQL array.
 * The driver keeps what it has prepared, 256 statements for each connection, under their text; so a text must be one of few.
 *
 * <p>Errors are the driver's: only {@link Connections} knows what was under way, and so what they mean. For one thread at a time.
 */
final class Session {
    private final Connection connection;
    private final SchemaName schema;
    private String opening;

    /**
     * Speaks over a connection that stays the caller's.
     *
     * @param opening what is to go before the first statement, in the same round trip: statements, each with its semicolon, whose
     *     answers nobody needs
     */
    Session(Connection connection, SchemaName schema, String opening) {
        this.connection = connection;
        this.schema = schema;
        this.opening = opening;
    }

    /** Changes rows; answers how many. */
    int update(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = executed(sql, values)) {
            return Math.max(0, statement.getUpdateCount());
        }
    }

    /** Reads rows; also of a statement that changes them, and returns what they became. */
    <T> List<T> list(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = executed(sql, values);
                ResultSet result = rows(statement)) {
            List<T> rows = new ArrayList<>();
            Row row = new Row(result);
            while (result.next()) {
                rows.add(mapper.map(row));
            }
            return rows;
        }
    }

    /**
     * One of several statements that are sent together.
     *
     * @param reader is given each of its rows
     */
    record Read(String sql, Reader reader, List<Object> values) {}

    /** Reads the rows of several statements, one after the other, in one round trip. */
    void readAll(Read... reads) throws SQLException {
        String sql = Arrays.stream(reads).map(Read::sql).collect(Collectors.joining(";"));
        Object[] values =
                Arrays.stream(reads).flatMap(read -> read.values().stream()).toArray();
        try (PreparedStatement statement = executed(sql, values)) {
            for (Read read : reads) {
                try (ResultSet result = rows(statement)) {
                    Row row = new Row(result);
                    while (result.next()) {
                        read.reader().read(row);
                    }
                }
                statement.getMoreResults();
            }
        }
    }

    /** Reads the first row. */
    <T> Optional<T> first(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = executed(sql, values);
                ResultSet result = rows(statement)) {
            return result.next() ? Optional.of(mapper.map(new Row(result))) : Optional.empty();
        }
    }

    /** Reads one number that is always there. */
    long number(String sql, @Nullable Object... values) throws SQLException {
        return first(sql, row -> row.integer(1), values).orElseThrow();
    }

    /** Runs all statements of a script in their order, in which every word {@code perdure} is the schema. */
    void script(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // Braces are SQL's own here, not JDBC's.
            statement.setEscapeProcessing(false);
            statement.execute(opened(schema.inScript(sql)));
        }
    }

    private PreparedStatement executed(String sql, @Nullable Object[] values) throws SQLException {
        int before = countOf(opening);
        PreparedStatement statement = connection.prepareStatement(opened(schema.in(sql)));
        try {
            for (int at = 0; at < values.length; at++) {
                bind(statement, at + 1, values[at]);
            }
            statement.execute();
            for (int skipped = 0; skipped < before; skipped++) {
                statement.getMoreResults();
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            try (statement) {
                throw e;
            }
        }
    }

    private String opened(String sql) {
        if (opening.isEmpty()) {
            // The same string, whose hash the driver's cache need not compute again.
            return sql;
        }
        String whole = opening + sql;
        opening = "";
        return whole;
    }

    private static int countOf(String statements) {
        return (int) statements.chars().filter(letter -> letter == ';').count();
    }

    private static ResultSet rows(PreparedStatement statement) throws SQLException {
        ResultSet result = statement.getResultSet();
        if (result == null) {
            throw new IllegalArgumentException("a statement without rows");
        }
        return result;
    }

    private void bind(PreparedStatement statement, int at, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(at, Types.NULL);
            case Column.Absent absent -> statement.setNull(at, Types.OTHER, absent.type());
            case String text -> statement.setString(at, text);
            case Long number -> statement.setLong(at, number);
            case Integer number -> statement.setInt(at, number);
            case Short number -> statement.setShort(at, number);
            case Boolean flag -> statement.setBoolean(at, flag);
            case Instant time -> statement.setLong(at, Times.micros(time));
            case UUID id -> statement.setObject(at, id);
            case byte[] bytes -> statement.setBytes(at, bytes);
            case UUID[] ids -> statement.setArray(at, array(ids));
            // The driver has a binary form for each of these.
            case long[] _, Long[] _, int[] _, Integer[] _, short[] _, Short[] _ -> statement.setObject(at, value);
            case boolean[] _, Boolean[] _, String[] _, byte[][] _ -> statement.setObject(at, value);
            default -> throw new IllegalArgumentException("no column holds a " + value.getClass());
        }
    }

    private PgArray array(UUID[] ids) throws SQLException {
        return new PgArray(connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, UuidArray.of(ids));
    }

    /** Makes an object of the row that a result is at. */
    @FunctionalInterface
    interface Mapper<T> {
        T map(Row row) throws SQLException;
    }

    /** Takes note of a row. */
    interface Reader {
        void read(Row row) throws SQLException;
    }
}
