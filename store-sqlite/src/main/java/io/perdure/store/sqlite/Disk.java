package io.perdure.store.sqlite;

import io.perdure.core.store.Finding;
import io.perdure.sdk.environment.Environment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Looks over what a database file lies on: its room, how long a flush takes there, and who else may touch the file. */
final class Disk {
    private static final long LITTLE_BYTES = 1L << 30;
    private static final long TOO_LITTLE_BYTES = 64L << 20;
    private static final int FLUSHES = 5;
    private static final int FLUSHED_BYTES = 4096;
    private static final Duration SLOW = Duration.ofMillis(50);

    private final Path file;
    private final Path folder;
    private final Environment environment;

    Disk(Path file, Environment environment) {
        this.file = file;
        this.folder = Objects.requireNonNull(file.getParent(), "a file is in a folder");
        this.environment = environment;
    }

    List<Finding> findings() {
        return List.of(room(), flushes());
    }

    private Finding room() {
        try {
            FileStore store = Files.getFileStore(folder);
            return room(folder, store.getUsableSpace(), store.type());
        } catch (IOException e) {
            return Finding.warning(
                    "disk",
                    "How much room there is in %s cannot be found out: %s.".formatted(folder, e),
                    "Look yourself.");
        }
    }

    static Finding room(Path folder, long free, String type) {
        String found = "%s MiB are free in %s (%s).".formatted(free >> 20, folder, type);
        if (free >= LITTLE_BYTES) {
            return Finding.ok("disk", found);
        }
        String advice = "Make room: a store that is full takes no starts, steps or messages (PD-204).";
        return free < TOO_LITTLE_BYTES
                ? Finding.problem("disk", found, advice)
                : Finding.warning("disk", found, advice);
    }

    /** Writes a small file beside the database a few times, as a commit does, and removes it. */
    private Finding flushes() {
        try {
            Path probe = Files.createTempFile(folder, "perdure-doctor", ".tmp");
            try (FileChannel channel = FileChannel.open(probe, StandardOpenOption.WRITE)) {
                return flushes(median(channel));
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            return Finding.problem(
                    "flush",
                    "No file can be written in %s: %s.".formatted(folder, e),
                    "Let this process write there: SQLite keeps its log beside the database.");
        }
    }

    private Duration median(FileChannel channel) throws IOException {
        long[] nanos = new long[FLUSHES];
        for (int flush = 0; flush < FLUSHES; flush++) {
            channel.write(ByteBuffer.allocate(FLUSHED_BYTES));
            long begun = environment.nanoTime();
            channel.force(true);
            nanos[flush] = environment.nanoTime() - begun;
        }
        Arrays.sort(nanos);
        return Duration.ofNanos(nanos[FLUSHES / 2]);
    }

    static Finding flushes(Duration median) {
        String found = "A flush takes %s µs.".formatted(median.toNanos() / 1_000);
        return median.compareTo(SLOW) > 0
                ? Finding.warning(
                        "flush",
                        found + " Every commit waits for one.",
                        "Put the file on a disk that is faster or less busy.")
                : Finding.ok("flush", found);
    }

    /** Of systems that have such permissions; empty elsewhere. */
    List<Finding> permissions() {
        try {
            return List.of(permissions(Files.getPosixFilePermissions(file)));
        } catch (UnsupportedOperationException e) {
            return List.of();
        } catch (IOException e) {
            return List.of(Finding.warning(
                    "permissions", "Who may read %s cannot be found out: %s.".formatted(file, e), "Look yourself."));
        }
    }

    private Finding permissions(Set<PosixFilePermission> all) {
        String text = PosixFilePermissions.toString(all);
        if (all.contains(PosixFilePermission.OTHERS_WRITE)) {
            return Finding.warning(
                    "permissions",
                    "Everybody on this machine may write the file (%s).".formatted(text),
                    "Run chmod o-w " + file + ".");
        }
        return Finding.ok(
                "permissions",
                all.contains(PosixFilePermission.OTHERS_READ)
                        ? "%s: everybody on this machine may read the file.".formatted(text)
                        : "%s.".formatted(text));
    }
}
