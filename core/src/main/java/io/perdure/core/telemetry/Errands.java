package io.perdure.core.telemetry;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * What is done a moment later, one thing after another, by a thread of its own: whoever hands it over brings a commit to the store, and others wait for
 * that. Only so many may wait to be done. For any thread.
 */
final class Errands implements AutoCloseable {
    private static final Duration REST = Duration.ofSeconds(1);

    private final int most;
    private final Duration atEnd;
    private final Teller teller;
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Bell bell;
    private final Bell ended;
    private volatile boolean closed;
    private volatile boolean givenUp;

    /**
     * Nothing is to be done yet.
     *
     * @param thread the name of the thread
     * @param most how many may wait
     * @param atEnd how long {@link #close} waits for the errands that are left
     * @param teller is told of what fails, and of what there is no room or no time for
     */
    Errands(String thread, Environment environment, int most, Duration atEnd, Teller teller) {
        this.most = most;
        this.atEnd = atEnd;
        this.teller = teller;
        this.bell = environment.bell();
        this.ended = environment.bell();
        environment.start(thread, this::doAll);
    }

    /** Has this done soon, if there is room for it. */
    void add(Runnable errand) {
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            teller.miss(() -> "There is no room for more than " + most + " that wait.");
        } else {
            errands.add(errand);
            bell.ring();
        }
    }

    /** Something that this was to do could not be done, for this reason. */
    void miss(Supplier<String> why) {
        teller.miss(why);
    }

    private void doAll() {
        try {
            while (!givenUp) {
                Runnable errand = errands.poll();
                if (errand != null) {
                    waiting.decrementAndGet();
                    teller.tell(errand);
                } else if (closed) {
                    return;
                } else {
                    bell.await(REST);
                }
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end.
            Thread.currentThread().interrupt();
        } finally {
            ended.ring();
        }
    }

    /** Does what is yet to be done, for a while, and ends; nothing, the second time. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        bell.ring();
        try {
            ended.await(atEnd);
        } catch (InterruptedException e) {
            // Whoever closes is in a hurry.
            Thread.currentThread().interrupt();
        }
        givenUp = true;
        while (errands.poll() != null) {
            teller.miss(() -> "There was no time for it before the end.");
        }
    }
}
