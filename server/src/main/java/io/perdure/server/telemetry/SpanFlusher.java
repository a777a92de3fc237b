package io.perdure.server.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Flushes spans 50 ms after the first of them has ended, on a thread of its own. All that end in the meantime share the flush, and the next one begins only after it: under load
 * there are at most 20 flushes in a second, and one at a time while the collector does not answer. Safe for many threads.
 */
final class SpanFlusher implements AutoCloseable {
    private static final Duration GATHER = Duration.ofMillis(50);
    private static final Duration REST = Duration.ofHours(1);

    /** As long as the SDK waits for an export. */
    private static final Duration FLUSH_AT_MOST = Duration.ofSeconds(30);

    /** The thread stops at an interrupt, whatever it does: only a stalled machine takes longer. */
    private static final Duration END_AT_MOST = Duration.ofSeconds(1);

    private final Environment environment = new SystemEnvironment();
    private final Bell bell = environment.bell();
    private final AtomicBoolean asked = new AtomicBoolean();
    private final Supplier<CompletableResultCode> flush;
    private final Thread thread;

    /** Begins, with nothing to flush. */
    SpanFlusher(Supplier<CompletableResultCode> flush) {
        this.flush = flush;
        this.thread = environment.startApart("perdure-spans", this::flushAll);
    }

    /** Asks for a flush soon; costs the read of a field if a flush is asked for already. */
    void ask() {
        if (!asked.get() && asked.compareAndSet(false, true)) {
            bell.ring();
        }
    }

    private void flushAll() {
        try {
            // A join that is interrupted throws nothing, and leaves the flag.
            while (!Thread.currentThread().isInterrupted()) {
                if (bell.await(REST)) {
                    environment.sleep(GATHER);
                    // Before the flush: a span that it misses asks again.
                    asked.set(false);
                    flush.get().join(FLUSH_AT_MOST.toMillis(), TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            // Closed.
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the thread, and waits until it has ended: no flush begins after this returns. Does not wait for a flush that is in progress. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(END_AT_MOST.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
