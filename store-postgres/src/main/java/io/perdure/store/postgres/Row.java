package io.perdure.store.postgres;

import io.perdure.core.store.rows.Times;
import io.perdure.sdk.json.Json;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The row that a result is at; columns count from 1. */
final class Row {
    private final ResultSet result;

    Row(ResultSet result) {
        this.result = result;
    }

    long integer(int column) throws SQLException {
        return result.getLong(column);
    }

    @Nullable
    Long integerOrNull(int column) throws SQLException {
        long value = result.getLong(column);
        return result.wasNull() ? null : value;
    }

    int small(int column) throws SQLException {
        return result.getInt(column);
    }

    @Nullable
    Integer smallOrNull(int column) throws SQLException {
        int value = result.getInt(column);
        return result.wasNull() ? null : value;
    }

    boolean flag(int column) throws SQLException {
        return result.getBoolean(column);
    }

    String text(int column) throws SQLException {
        return result.getString(column);
    }

    @Nullable
    String textOrNull(int column) throws SQLException {
        return result.getString(column);
    }

    Json json(int column) throws SQLException {
        return Json.ofStored(result.getString(column));
    }

    @Nullable
    Json jsonOrNull(int column) throws SQLException {
        String text = result.getString(column);
        return text == null ? null : Json.ofStored(text);
    }

    Instant time(int column) throws SQLException {
        return Times.instant(result.getLong(column));
    }

    @Nullable
    Instant timeOrNull(int column) throws SQLException {
        long micros = result.getLong(column);
        return result.wasNull() ? null : Times.instant(micros);
    }

    UUID uuid(int column) throws SQLException {
        return result.getObject(column, UUID.class);
    }

    @Nullable
    UUID uuidOrNull(int column) throws SQLException {
        return result.getObject(column, UUID.class);
    }

    byte[] bytes(int column) throws SQLException {
        return result.getBytes(column);
    }

    /** A {@code bigint[]} without nulls. */
    List<Long> integers(int column) throws SQLException {
        return List.of((Long[]) result.getArray(column).getArray());
    }

    /** A {@code text[]}, whose elements may be null. */
    @Nullable
    String[] texts(int column) throws SQLException {
        return (String[]) result.getArray(column).getArray();
    }

    @Nullable
    String @Nullable [] textsOrNull(int column) throws SQLException {
        Array array = result.getArray(column);
        return array == null ? null : (String[]) array.getArray();
    }
}
