package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bounds how many requests that carry a body or write are under way at once, and with them the memory that their bodies take and the queue
 * before the store. Whoever is one too many is told at once instead of waiting. Safe for many threads.
 */
public final class UnderWay {
    /** The place of a request that does not count. */
    public static final Place UNCOUNTED = () -> {};

    private final int most;
    private final Semaphore places;

    /** Lets so many be under way at once. */
    public UnderWay(int most) {
        this.most = most;
        this.places = new Semaphore(most);
    }

    /** What a request has while it is under way. Leaving it again does nothing. */
    @FunctionalInterface
    public interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /** Takes a place, to be left when the request is done; {@code PD-605} where there is none. */
    public Place enter() {
        if (!places.tryAcquire()) {
            throw new RefusedException(
                    ErrorCode.TOO_MANY_REQUESTS, "As many requests are under way here as may, which is " + most + ".");
        }
        AtomicBoolean left = new AtomicBoolean();
        return () -> {
            if (left.compareAndSet(false, true)) {
                places.release();
            }
        };
    }

    /** How many are under way now. */
    public int count() {
        return most - places.availablePermits();
    }
}
