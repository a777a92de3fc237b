package io.perdure.client;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The real world, where nobody waits: each wait is over at once, and the clock has gone on by as much. Else it goes on by a
 * nanosecond at each look, so that a slow machine takes no patience away.
 */
final class SkippingTime implements ForwardingEnvironment {
    private final Environment real = new SystemEnvironment();
    private final AtomicLong skipped = new AtomicLong();
    private final Queue<Duration> waits = new ConcurrentLinkedQueue<>();

    /** What was waited for, each wait with its length. */
    List<Duration> waits() {
        return List.copyOf(waits);
    }

    /** Lets so much time pass. */
    void skip(Duration length) {
        skipped.addAndGet(length.toNanos());
    }

    @Override
    public Environment real() {
        return real;
    }

    @Override
    public long nanoTime() {
        return skipped.incrementAndGet();
    }

    @Override
    public Bell bell() {
        return new Bell() {
            @Override
            public void ring() {
                // Nobody waits here.
            }

            @Override
            public boolean await(Duration atMost) {
                waits.add(atMost);
                skipped.addAndGet(atMost.toNanos());
                return false;
            }
        };
    }
}
