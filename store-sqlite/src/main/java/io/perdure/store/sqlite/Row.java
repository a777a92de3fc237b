package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Times;
import io.perdure.sdk.json.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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

    int small(int column) throws SQLException {
        return result.getInt(column);
    }

    @Nullable
    Integer smallOrNull(int column) throws SQLException {
        int value = result.getInt(column);
        return result.wasNull() ? null : value;
    }

    String text(int column) throws SQLException {
        return result.getString(column);
    }

    @Nullable
    String textOrNull(int column) throws SQLException {
        return result.getString(column);
    }

    /** How many characters a text has; 0 if it is absent. */
    int length(int column) throws SQLException {
        String text = result.getString(column);
        return text == null ? 0 : text.length();
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
        return Bytes.uuid(result.getBytes(column));
    }

    @Nullable
    UUID uuidOrNull(int column) throws SQLException {
        byte[] bytes = result.getBytes(column);
        return bytes == null ? null : Bytes.uuid(bytes);
    }

    /** A token; none where it is all zeroes. */
    @Nullable
    UUID token(int column) throws SQLException {
        UUID token = Bytes.uuid(result.getBytes(column));
        return token.equals(Bytes.NIL) ? null : token;
    }

    byte[] bytes(int column) throws SQLException {
        return result.getBytes(column);
    }
}
