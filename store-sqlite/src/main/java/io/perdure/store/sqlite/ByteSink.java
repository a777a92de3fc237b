package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Times;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes numbers in as few bytes as they need, and what is made of numbers. {@link ByteSource} reads it back. */
final class ByteSink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(32);

    /** A number of 0 or more, seven bits to a byte. */
    void number(long value) {
        long rest = value;
        while (rest > 0x7F) {
            bytes.write((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    void flag(boolean value) {
        number(value ? 1 : 0);
    }

    /** A time of 1970 or later, or none. */
    void time(@Nullable Instant time) {
        number(time == null ? 0 : Times.micros(time) + 1);
    }

    void uuid(UUID id) {
        bytes.writeBytes(Bytes.of(id));
    }

    void text(String text) {
        block(text.getBytes(StandardCharsets.UTF_8));
    }

    void block(byte[] block) {
        number(block.length);
        bytes.writeBytes(block);
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
