package io.perdure.core.workflow;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.RunId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of the heap that an engine has for large runs, of all its tenants together: a quarter. A run has room while it is read, waits to be taken, or is worked on
 * in this process, as long as somebody says so once per lease. One run is read at a time, because that takes several times its size. Safe for many threads.
 */
public final class LargeRunRoom {
    private static final int SHARE = 4;

    private final Environment environment;
    private final long leaseNanos;
    private final long most = Runtime.getRuntime().maxMemory() / SHARE;
    private final Map<RunId, Hold> holds = new HashMap<>();
    private @Nullable RunId reading;

    private record Hold(long bytes, long untilNanos) {}

    /**
     * Begins with nothing in it.
     *
     * @param lease how long a run has room without being renewed
     */
    public LargeRunRoom(Environment environment, Duration lease) {
        this.environment = environment;
        this.leaseNanos = lease.toNanos();
    }

    /** Takes room for a run that is about to be read; false if another one is read now, or there is no room. A run that would be alone always has room. */
    synchronized boolean beginReading(RunId run, long bytes) {
        long used = used();
        if (reading != null || (used > 0 && used + bytes > most)) {
            return false;
        }
        reading = run;
        holds.put(run, new Hold(bytes, until()));
        return true;
    }

    /** Lets the next one be read. The room stays taken. */
    synchronized void endReading(RunId run) {
        if (run.equals(reading)) {
            reading = null;
        }
    }

    /** These go on to have room, those of them that have any. */
    synchronized void renew(Stream<RunId> runs) {
        if (!holds.isEmpty()) {
            long until = until();
            runs.forEach(run -> holds.computeIfPresent(run, (_, hold) -> new Hold(hold.bytes, until)));
        }
    }

    /** Gives the room of a run back; returns whether it had any. */
    synchronized boolean free(RunId run) {
        return holds.remove(run) != null;
    }

    private long used() {
        long now = environment.nanoTime();
        holds.values().removeIf(hold -> hold.untilNanos - now <= 0);
        return holds.values().stream().mapToLong(Hold::bytes).sum();
    }

    private long until() {
        return environment.nanoTime() + leaseNanos;
    }
}
