package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.Collection;

/**
 * Sees to it that what a returned step left in its {@link Journal} does not wait for long when the code is slow to ask for the
 * next thing. One thread for all runs: it looks through them while anything is gathered, and rests when nothing is.
 */
final class Lingering implements Runnable {
    private final Environment environment;
    private final Collection<Turn> turns;
    private final Duration atMost;
    private final Bell bell;
    private volatile boolean resting;
    private volatile boolean closed;

    Lingering(Environment environment, Collection<Turn> turns, Duration atMost) {
        this.environment = environment;
        this.turns = turns;
        this.atMost = atMost;
        this.bell = environment.bell();
    }

    /** A journal has begun to gather. */
    void begun() {
        if (resting) {
            bell.ring();
        }
    }

    void close() {
        closed = true;
        bell.ring();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                environment.sleep(atMost);
                if (!look()) {
                    rest();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void rest() throws InterruptedException {
        resting = true;
        // Said before looking once more: who begins from now on rings.
        if (!look() && !closed) {
            bell.await(Duration.ofDays(1));
        }
        resting = false;
    }

    /** Sends what is late; answers whether anything is gathered at all. */
    private boolean look() {
        long now = environment.nanoTime();
        boolean any = false;
        for (Turn turn : turns) {
            Journal journal = turn.journal();
            if (journal.isGathering()) {
                any = true;
                journal.sendLate(now, atMost.toNanos());
            }
        }
        return any;
    }
}
