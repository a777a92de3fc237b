package io.perdure.client;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;

/** How long something is tried again: ever longer pauses, each with chance in it, until the time is over. For one thread. */
final class Patience {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Environment environment;
    private final Bell bell;
    private final Duration atMost;
    private long deadlineNanos;
    private Duration next = FIRST;

    /** With a bell whose ring ends a pause early. */
    Patience(Environment environment, Bell bell, Duration atMost) {
        this.environment = environment;
        this.bell = bell;
        this.atMost = atMost;
        renew();
    }

    /** Begins anew: something has come of it. */
    void renew() {
        next = FIRST;
        deadlineNanos = environment.nanoTime() + atMost.toNanos();
    }

    /** Waits a little, at least as long as it was told; false, and at once, where there is no time for another try, or somebody interrupts. */
    boolean pause(Duration atLeast) {
        Duration jittered =
                Duration.ofNanos(next.toNanos() / 2 + environment.random().nextLong(next.toNanos() / 2 + 1));
        Duration rest = atLeast.compareTo(jittered) > 0 ? atLeast : jittered;
        if (environment.nanoTime() + rest.toNanos() - deadlineNanos >= 0) {
            return false;
        }
        next = next.multipliedBy(2).compareTo(LONGEST) < 0 ? next.multipliedBy(2) : LONGEST;
        try {
            bell.await(rest);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
