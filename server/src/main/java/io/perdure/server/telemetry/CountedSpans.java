package io.perdure.server.telemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.logging.SparingLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Sends spans in batches, in the background and soon after they ended ({@link SpanFlusher}), and counts those that do not get there: for want of room, or because no collector takes
 * them.
 */
final class CountedSpans implements SpanProcessor {
    /** More room than we use, so that the queue behind this drops nothing without a word. */
    private static final int SPARE = 1_024;

    private final Environment environment = new SystemEnvironment();
    private final SparingLog log = new SparingLog(CountedSpans.class, environment);
    private final int most;
    private final IntConsumer missed;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger inExport = new AtomicInteger();
    private final SpanProcessor batches;
    private final SpanFlusher flusher;
    private volatile boolean givenUp;

    /**
     * Begins.
     *
     * @param exporter sends a batch
     * @param most spans that wait to be sent
     * @param every how often spans are sent at least, should a flush fail
     * @param missed is told how many did not get there
     */
    CountedSpans(SpanExporter exporter, int most, Duration every, IntConsumer missed) {
        this.most = most;
        this.missed = missed;
        this.batches = BatchSpanProcessor.builder(new Taken(exporter))
                .setMaxQueueSize(most + SPARE)
                .setScheduleDelay(every)
                .build();
        this.flusher = new SpanFlusher(batches::forceFlush);
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        // Only what has ended is sent.
    }

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!span.getSpanContext().isSampled()) {
            return;
        }
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            log.log(Level.WARNING, () -> "A trace lacks a span: " + most + " wait for the collector already.");
            missed.accept(1);
        } else {
            batches.onEnd(span);
            flusher.ask();
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    /** Sends the spans that wait, for up to the given time. Call this before {@link #shutdown}, which sends only what waited when a flush in progress began. */
    void drain(Duration atMost) {
        long deadline = environment.nanoTime() + atMost.toNanos();
        flusher.close();
        long left = atMost.toNanos();
        // More than once: the processor returns a flush that is in progress instead of a new one, and that one leaves
        // out the spans that ended during it.
        while (waiting.get() > 0 && left > 0 && !Thread.currentThread().isInterrupted()) {
            batches.forceFlush().join(left, TimeUnit.NANOSECONDS);
            left = deadline - environment.nanoTime();
        }
    }

    /** Counts the spans that are not sent by now as missed. Call this after {@link #shutdown}. */
    void giveUp() {
        givenUp = true;
        int left = waiting.get() + inExport.get();
        if (left > 0) {
            log.log(
                    Level.WARNING,
                    () -> "The collector did not take the last " + left + " spans in time. They are lost.");
            missed.accept(left);
        }
    }

    @Override
    public CompletableResultCode shutdown() {
        flusher.close();
        return batches.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return batches.forceFlush();
    }

    /** Takes what waits, and sends it. */
    private final class Taken implements SpanExporter {
        private final SpanExporter exporter;

        Taken(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int count = spans.size();
            inExport.addAndGet(count);
            waiting.addAndGet(-count);
            CompletableResultCode sent = exporter.export(spans);
            return sent.whenComplete(() -> {
                inExport.addAndGet(-count);
                if (!sent.isSuccess() && !givenUp) {
                    missed.accept(count);
                }
            });
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
