package io.perdure.store.postgres;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The latest time that this process has seen on the server's clock, in microseconds. Only where the clock reads less can a
 * lease end further ahead than it may, and only then the dearer look for such leases is used.
 */
final class ClockMemory {
    private final AtomicLong latest = new AtomicLong();

    long latest() {
        return latest.get();
    }

    void saw(long micros) {
        latest.accumulateAndGet(micros, Math::max);
    }
}
