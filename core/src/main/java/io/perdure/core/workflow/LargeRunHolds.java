package io.perdure.core.workflow;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.worker.Held;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the bytes of the large runs that are worked on in this process, as long as its worker extends their leases. Safe for many threads. */
final class LargeRunHolds {
    private final Environment environment;
    private final long leaseNanos;
    private final Map<RunId, Hold> holds = new HashMap<>();

    private record Hold(long bytes, long untilNanos) {}

    LargeRunHolds(Environment environment, Duration lease) {
        this.environment = environment;
        this.leaseNanos = lease.toNanos();
    }

    /** A run is worked on from now on. */
    synchronized void add(RunId run, long bytes) {
        holds.put(run, new Hold(bytes, until()));
    }

    /** A worker goes on with these. */
    synchronized void renew(List<Held> held) {
        if (!holds.isEmpty()) {
            long until = until();
            held.forEach(one -> holds.computeIfPresent(one.run(), (_, hold) -> new Hold(hold.bytes, until)));
        }
    }

    /** Returns whether the run was counted. */
    synchronized boolean remove(RunId run) {
        return holds.remove(run) != null;
    }

    /** The bytes of all that are worked on. */
    synchronized long bytes() {
        long now = environment.nanoTime();
        holds.values().removeIf(hold -> hold.untilNanos - now <= 0);
        return holds.values().stream().mapToLong(Hold::bytes).sum();
    }

    private long until() {
        return environment.nanoTime() + leaseNanos;
    }
}
