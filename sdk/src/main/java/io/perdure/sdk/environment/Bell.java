package io.perdure.sdk.environment;

import java.time.Duration;

/**
 * Lets one thread wait, with a time limit, for others to ring. A ring that comes before the wait is kept, and any number of
 * rings between two waits count as one: the waiter looks at what there is to do, then waits again, and misses nothing.
 */
public interface Bell {
    /** Wakes the waiter, or the next wait if nobody waits now. */
    void ring();

    /** Waits for a ring; answers true if there was one, false if the time ran out first. */
    boolean await(Duration atMost) throws InterruptedException;
}
