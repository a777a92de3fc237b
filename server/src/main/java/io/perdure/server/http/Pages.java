package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bounds how many pages of lists are put together and sent at once, by the memory that they may take: a quarter of what there is. The others wait for their turn.
 * Safe for many threads.
 */
public final class Pages {
    private static final int SHARE_OF_MEMORY = 4;

    /** What is read, the text of it, and its bytes. */
    private static final int COPIES = 3;

    private static final Duration TURN_WITHIN = Duration.ofSeconds(10);

    private final Semaphore turns;
    private final Duration within;

    /** As many at once as memory allows. */
    public Pages() {
        this(
                Runtime.getRuntime().maxMemory()
                        / SHARE_OF_MEMORY
                        / COPIES
                        / Limits.defaults().rest().pageBytes(),
                TURN_WITHIN);
    }

    /** So many at once, each of the others waiting at most so long. */
    public Pages(long atOnce, Duration within) {
        this.turns = new Semaphore(Math.clamp(atOnce, 1, Integer.MAX_VALUE), true);
        this.within = within;
    }

    /** Waits for a turn, to be left when the page is sent; {@code PD-605} where none comes. */
    public UnderWay.Place enter() {
        try {
            if (turns.tryAcquire(within.toNanos(), TimeUnit.NANOSECONDS)) {
                return new Turn();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RefusedException(
                ErrorCode.TOO_MANY_REQUESTS,
                "As many lists are read here at once as memory allows, and none came to its end.");
    }

    private final class Turn implements UnderWay.Place {
        private final AtomicBoolean left = new AtomicBoolean();

        @Override
        public void close() {
            if (left.compareAndSet(false, true)) {
                turns.release();
            }
        }

        /** The answer is what takes the memory. */
        @Override
        public void answering() {
            // Left when it is sent.
        }
    }
}
