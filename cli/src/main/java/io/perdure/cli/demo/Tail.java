package io.perdure.cli.demo;

import io.perdure.sdk.environment.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads a witness while others write it: told by the system that the file has grown, and looking now and then in case it was not. */
final class Tail implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final Witness witness;
    private final WatchService watch;
    private final Environment environment;
    private final long deadlineNanos;
    private int seen;

    Tail(Path folder, Witness witness, Environment environment, long deadlineNanos) throws IOException {
        this.witness = witness;
        this.environment = environment;
        this.deadlineNanos = deadlineNanos;
        this.watch = folder.getFileSystem().newWatchService();
        folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
    }

    /** The next line, once it is there. Fails where the child that is to write it has ended, or no time is left. */
    WitnessLine next(Child writer) throws IOException, InterruptedException {
        while (true) {
            boolean alive = writer.isAlive();
            List<WitnessLine> lines = witness.lines();
            if (lines.size() > seen) {
                WitnessLine line = lines.get(seen);
                seen++;
                return line;
            }
            if (!alive) {
                throw new DemoStoppedException(
                        "Process " + writer.pid() + " ended by itself. Its last words: " + writer.lastWords());
            }
            long left = deadlineNanos - environment.nanoTime();
            if (left <= 0) {
                throw new DemoStoppedException("The time is over, and the order is not done.");
            }
            WatchKey key = watch.poll(Math.min(left, LOOK_EVERY.toNanos()), TimeUnit.NANOSECONDS);
            if (key != null) {
                key.pollEvents();
                key.reset();
            }
        }
    }

    @Override
    public void close() throws IOException {
        watch.close();
    }
}
