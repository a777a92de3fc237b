package io.perdure.server.http;

import io.helidon.webserver.http.ServerRequest;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bounds how many requests that carry a body or write are under way at once, and how much memory their bodies may take together: a quarter of what there is. So
 * the queue before the store is bounded, too. Whoever is one too many is told at once instead of waiting. Safe for many threads.
 */
public final class UnderWay {
    /** The place of a request that does not count. */
    public static final Place UNCOUNTED = () -> {};

    private static final int UNIT_BYTES = 1024;
    private static final int SHARE_OF_MEMORY = 4;

    private final int most;
    private final int mostUnits;
    private final Semaphore places;
    private final Semaphore units;

    /** Lets so many be under way at once. */
    public UnderWay(int most) {
        this(most, Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY);
    }

    /** The same, with so many bytes of bodies. */
    UnderWay(int most, long mostBytes) {
        this.most = most;
        this.mostUnits = Math.clamp(mostBytes / UNIT_BYTES, 1, Integer.MAX_VALUE);
        this.places = new Semaphore(most);
        this.units = new Semaphore(mostUnits);
    }

    /** What a request has while it is under way. Leaving it again does nothing. */
    @FunctionalInterface
    public interface Place extends AutoCloseable {
        @Override
        void close();

        /** All is done but for sending the answer: whoever is slow to read that keeps nobody out. */
        default void answering() {
            close();
        }
    }

    /**
     * Takes a place, to be left when the request is done; {@code PD-605} where there is none.
     *
     * @param mostBytes the largest body that this request may have; one that says how long its body is counts with that
     */
    public Place enter(ServerRequest request, int mostBytes) {
        if (!request.content().hasEntity()) {
            return enter(0);
        }
        return enter(Math.min(request.headers().contentLength().orElse(mostBytes), mostBytes));
    }

    /** The same for a body of so many bytes. */
    Place enter(long bytes) {
        if (!places.tryAcquire()) {
            throw new RefusedException(
                    ErrorCode.TOO_MANY_REQUESTS, "As many requests are under way here as may, which is " + most + ".");
        }
        // One that is larger than all room there is has to come alone, or never.
        int taken = (int) Math.min(mostUnits, (bytes + UNIT_BYTES - 1) / UNIT_BYTES);
        if (!units.tryAcquire(taken)) {
            places.release();
            throw new RefusedException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "The requests that are under way here take as much memory as they may, which is %s KiB."
                            .formatted(mostUnits));
        }
        AtomicBoolean left = new AtomicBoolean();
        return () -> {
            if (left.compareAndSet(false, true)) {
                units.release(taken);
                places.release();
            }
        };
    }

    /** How many are under way now. */
    public int count() {
        return most - places.availablePermits();
    }
}
