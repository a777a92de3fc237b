package io.perdure.sdk.worker;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.logging.SparingLog;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the threads whose runs were cancelled or lost, which did not end when they were interrupted, and whose slots were given to others. */
final class AbandonedThreads {
    private final int most;
    private final SparingLog log;
    private final AtomicInteger count = new AtomicInteger();

    /** Counts up to the given number of threads, and logs each. */
    AbandonedThreads(int most, SparingLog log) {
        this.most = most;
        this.log = log;
    }

    /** Counts one more; returns false if there are too many. */
    boolean add() {
        return count.getAndUpdate(now -> Math.min(now + 1, most)) < most;
    }

    /** Logs that the code of a run does not end, and whether its slot was given back. */
    void tell(RunId run, boolean givenBack) {
        String what = "Run " + run + " was cancelled or lost, and its code does not end though it is interrupted. ";
        log.log(
                System.Logger.Level.WARNING,
                () -> what
                        + (givenBack
                                ? "Its slot is given back. Abandoned threads: " + count() + "."
                                : "It keeps its slot: " + most + " threads are abandoned already."));
    }

    /** One of them has ended. */
    void remove() {
        count.decrementAndGet();
    }

    int count() {
        return count.get();
    }
}
