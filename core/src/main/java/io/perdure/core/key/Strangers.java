package io.perdure.core.key;

import java.time.Duration;

/**
 * Bounds how often keys are looked for that this process does not know: whoever makes them up has the store read each time. So many a second
 * are let in; what was not used of the last second is saved up. Safe for many threads.
 */
final class Strangers {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long interval;
    private long usedUp;

    Strangers(int perSecond, long nowNanos) {
        this.interval = SECOND / perSecond;
        this.usedUp = nowNanos - SECOND;
    }

    /** Whether one more may be looked for now. */
    synchronized boolean admit(long nowNanos) {
        long from = usedUp - (nowNanos - SECOND) < 0 ? nowNanos - SECOND : usedUp;
        if (from + interval - nowNanos > 0) {
            return false;
        }
        usedUp = from + interval;
        return true;
    }
}
