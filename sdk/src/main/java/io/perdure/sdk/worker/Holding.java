package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A lease as its worker knows it. No step starts unless a claim or an extension that began a short while ago was confirmed: a
 * process that was paused, or cut off from its store, must first hear that the run is still its own.
 */
final class Holding {
    private final Environment environment;
    private final Duration freshFor;
    private final Held held;
    private volatile long confirmedNanos;
    private volatile boolean lost;
    /** Those of the turn's thread and of an executor's thread, which may wait at the same time. */
    private final List<Bell> waiting = new CopyOnWriteArrayList<>();

    Holding(Environment environment, Duration freshFor, Held held, long confirmedNanos) {
        this.environment = environment;
        this.freshFor = freshFor;
        this.held = held;
        this.confirmedNanos = confirmedNanos;
    }

    Held held() {
        return held;
    }

    boolean isLost() {
        return lost;
    }

    /** An extension that began then was confirmed. */
    void confirm(long begunNanos) {
        confirmedNanos = begunNanos;
        wake();
    }

    /** The run is somebody else's, or over. */
    void lose() {
        lost = true;
        wake();
    }

    private void wake() {
        waiting.forEach(Bell::ring);
    }

    /** Waits until the lease is known to be held; false where it is lost. */
    boolean awaitFresh() throws InterruptedException {
        if (isFresh() || lost) {
            return !lost;
        }
        Bell bell = environment.bell();
        waiting.add(bell);
        try {
            while (!isFresh() && !lost) {
                bell.await(freshFor);
            }
            return !lost;
        } finally {
            waiting.remove(bell);
        }
    }

    private boolean isFresh() {
        return !isUnconfirmedFor(freshFor);
    }

    /** Whether no extension was confirmed that began within this time. */
    boolean isUnconfirmedFor(Duration time) {
        return environment.nanoTime() - confirmedNanos >= time.toNanos();
    }
}
