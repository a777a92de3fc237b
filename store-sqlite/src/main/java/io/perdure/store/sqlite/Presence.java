package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the file that was opened is still the one of its name. Where it was deleted or replaced, SQLite would go on
 * writing to what nobody can find any more, and say that all is well. Looks once a second, by attributes alone.
 */
final class Presence {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final Path file;
    private final @Nullable Object opened;
    private long lookedAt = System.nanoTime();
    private boolean there = true;

    Presence(Path file) {
        this.file = file;
        this.opened = key(file);
    }

    /** Throws {@code PD-213} where the file is gone. */
    void check() {
        if (!there || System.nanoTime() - lookedAt >= EVERY.toNanos()) {
            there = Objects.equals(opened, key(file));
            lookedAt = System.nanoTime();
        }
        if (!there) {
            throw new StoreException(
                    ErrorCode.STORE_FAILED,
                    "The database %s was deleted or replaced while it was open.".formatted(file));
        }
    }

    /** What the system knows the file by; nothing where it is gone, or the system has no such thing. */
    private static @Nullable Object key(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new StoreException(
                    ErrorCode.STORE_UNREACHABLE, "The file %s cannot be looked at: %s.".formatted(file, e), e);
        }
    }
}
