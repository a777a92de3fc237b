package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Times;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ByteSink} wrote, in the same order. */
final class ByteSource {
    private final byte[] bytes;
    private int at;

    ByteSource(byte[] bytes) {
        this.bytes = bytes;
    }

    long number() {
        long value = 0;
        int shift = 0;
        while ((bytes[at] & 0x80) != 0) {
            value |= (long) (bytes[at++] & 0x7F) << shift;
            shift += 7;
        }
        return value | ((long) bytes[at++] << shift);
    }

    boolean flag() {
        return number() == 1;
    }

    Instant time() {
        return Objects.requireNonNull(timeOrNull(), "a time that is always written");
    }

    @Nullable
    Instant timeOrNull() {
        long micros = number();
        return micros == 0 ? null : Times.instant(micros - 1);
    }

    UUID uuid() {
        at += 16;
        return Bytes.uuid(Arrays.copyOfRange(bytes, at - 16, at));
    }

    String text() {
        return new String(block(), StandardCharsets.UTF_8);
    }

    byte[] block() {
        int length = (int) number();
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }
}
