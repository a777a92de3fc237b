package io.perdure.server.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Requests that wait for something to happen: known, so that none is left waiting when the server ends. */
final class WaitingWorkers implements AutoCloseable {
    private static final int MOST = 2 * Limits.defaults().remote().workers();
    private static final long LARGEST = 1L << 50;

    private final Environment environment;
    private final Set<Bell> bells = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    WaitingWorkers(Environment environment) {
        this.environment = environment;
    }

    /** A number that nobody else is likely to draw. */
    long anyNumber() {
        return environment.random().nextLong(1, LARGEST);
    }

    /** A bell that also rings when the server ends; to be left again. {@code PD-605} where too many wait already. */
    Bell enter() {
        if (bells.size() >= MOST) {
            throw new RefusedException(
                    ErrorCode.TOO_MANY_REQUESTS, "As many workers wait here as may, which is " + MOST + ".");
        }
        Bell bell = environment.bell();
        bells.add(bell);
        if (closed) {
            bell.ring();
        }
        return bell;
    }

    void leave(Bell bell) {
        bells.remove(bell);
    }

    int count() {
        return bells.size();
    }

    boolean isClosed() {
        return closed;
    }

    long nanoTime() {
        return environment.nanoTime();
    }

    @Override
    public void close() {
        closed = true;
        bells.forEach(Bell::ring);
    }
}
