package io.perdure.sdk.consumer;

import io.perdure.sdk.Limits;
import io.perdure.sdk.queue.ConsumeOptions;
import java.time.Duration;

/**
 * Decides how many messages a consumer keeps received beyond those that are handled. An explicit {@link ConsumeOptions#prefetch} is fixed.
 * Otherwise the number adapts to how long messages wait for a handler, measured by the last message of each receive:
 *
 * <ul>
 *   <li>It starts at the concurrency, but at no more than one receive brings.
 *   <li>It grows when a receive brought all that it asked for and its last message waited for less than {@link #SHORT_WAIT}: to what the
 *       handlers begin within {@link #FITTING_WAIT}, and to {@value #TIMES_AT_ONCE} times as many at most.
 *   <li>It shrinks when a message waited for more than {@link #LONG_WAIT}, to what the handlers begin within {@link #FITTING_WAIT}. So a
 *       consumer with slow handlers leaves messages to other consumers.
 * </ul>
 *
 * <p>Waiting times say more than the rate of the handlers: they include everything that holds messages up, and need no measuring
 * interval. Not safe for threads: {@link Hands} holds its lock around every call.
 */
final class Prefetch {
    /** Below this the number grows; well below {@link #FITTING_WAIT}, so that it does not swing. */
    static final Duration SHORT_WAIT = Duration.ofMillis(100);

    /** How long messages wait after the number has changed. */
    static final Duration FITTING_WAIT = Duration.ofMillis(250);

    /** Above this the number shrinks; well above {@link #FITTING_WAIT}, so that it does not swing. */
    static final Duration LONG_WAIT = Duration.ofMillis(500);

    /** One measurement says only so much. */
    private static final int TIMES_AT_ONCE = 8;

    private static final int MOST = Limits.defaults().consumers().prefetchMax();

    private final boolean adapts;
    private int ahead;

    /** Messages that arrived before the last change say nothing about the present number. */
    private long changedNanos;

    private boolean changed;

    Prefetch(ConsumeOptions options) {
        Integer fixed = options.prefetch();
        this.adapts = fixed == null;
        this.ahead = fixed == null
                ? Math.min(options.concurrency(), Limits.defaults().queues().receiveMessages())
                : fixed;
    }

    /** Returns whether the number changes by itself. */
    boolean adapts() {
        return adapts;
    }

    /** Returns how many messages to keep received beyond those that are handled. */
    int ahead() {
        return ahead;
    }

    /**
     * Notes that the last message of a receive goes to its handler.
     *
     * @param arrivedNanos when the receive brought it
     * @param full whether the receive brought as many messages as it had asked for
     */
    void lastBegins(long arrivedNanos, boolean full, long now) {
        if (!adapts || isOutdated(arrivedNanos)) {
            return;
        }
        long waited = now - arrivedNanos;
        if (waited > LONG_WAIT.toNanos()) {
            fit(waited, now);
        } else if (full && waited < SHORT_WAIT.toNanos() && ahead < MOST) {
            fit(Math.max(waited, FITTING_WAIT.toNanos() / TIMES_AT_ONCE), now);
        }
    }

    /** Notes that a message that arrived then still waits. If it has waited for long, the number shrinks. */
    void stillWaits(long arrivedNanos, long now) {
        long waited = now - arrivedNanos;
        if (adapts && waited > LONG_WAIT.toNanos()) {
            fit(waited, now);
        }
    }

    private boolean isOutdated(long arrivedNanos) {
        return changed && arrivedNanos - changedNanos < 0;
    }

    /** Changes the number to what handlers begin within the fitting wait, by how long the present one took them. */
    private void fit(long waited, long now) {
        ahead = Math.clamp(ahead * FITTING_WAIT.toNanos() / waited, 1, MOST);
        changed = true;
        changedNanos = now;
    }
}
