package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Times;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes numbers in as few bytes as they need, and what is made of numbers. {@link ByteSource} reads it back. */
final class ByteSink {
    private static final int FIRST_BYTES = 64;
    private static final int MOST_BYTES_OF_NUMBER = 10;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;

    /** A number of 0 or more, seven bits to a byte. */
    void number(long value) {
        ensure(MOST_BYTES_OF_NUMBER);
        long rest = value;
        while (rest > 0x7F) {
            bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    void flag(boolean value) {
        number(value ? 1 : 0);
    }

    /** A time of 1970 or later, or none. */
    void time(@Nullable Instant time) {
        number(time == null ? 0 : Times.micros(time) + 1);
    }

    void uuid(UUID id) {
        add(Bytes.of(id), 16);
    }

    void text(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        number(encoded.length);
        add(encoded, encoded.length);
    }

    void block(ByteSink block) {
        number(block.size);
        add(block.bytes, block.size);
    }

    private void add(byte[] more, int length) {
        ensure(length);
        System.arraycopy(more, 0, bytes, size, length);
        size += length;
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    boolean holdsTheSameAs(ByteSink other) {
        return Arrays.equals(bytes, 0, size, other.bytes, 0, other.size);
    }

    void clear() {
        size = 0;
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }
}
