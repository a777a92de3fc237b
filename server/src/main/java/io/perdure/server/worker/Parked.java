package io.perdure.server.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Requests that wait for something to happen: known, so that none is left waiting when the server ends. */
final class Parked implements AutoCloseable {
    private final Environment environment;
    private final Set<Bell> bells = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Parked(Environment environment) {
        this.environment = environment;
    }

    /** A bell that also rings when the server ends; to be left again. */
    Bell enter() {
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
