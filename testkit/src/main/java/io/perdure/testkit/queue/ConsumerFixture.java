package io.perdure.testkit.queue;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.retry.Backoff;
import io.perdure.testkit.workflow.Opening;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store of its own for each test, the engine over it, and a queue. */
abstract class ConsumerFixture {
    /** Longer than anything here takes, on the slowest machine. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Messages whose handlers fail are delivered again at once. */
    static final ConsumeOptions AT_ONCE = ConsumeOptions.defaults().retryDelay(Backoff.fixed(Duration.ZERO));

    static final ConsumeOptions ONE_AT_A_TIME = AT_ONCE.concurrency(1).prefetch(0);

    private static final int SENT_AT_ONCE = 100;

    private final Opening opening;
    private final SystemEnvironment environment = new SystemEnvironment();
    Engine perdure;
    MessageQueue mail;

    @SuppressWarnings("NullAway.Init") // Opened before each test.
    ConsumerFixture(Opening opening) {
        this.opening = opening;
    }

    @BeforeEach
    final void open() {
        perdure = opening.open(opening.freshUrl(), OpenOptions.defaults());
        mail = perdure.createQueue("mail");
    }

    @AfterEach
    final void close() {
        perdure.close();
    }

    /** Where handlers wait until a test lets them go on. */
    static final class Gate {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        void pass(Object who) throws InterruptedException {
            reached.countDown();
            await(opened, who);
        }

        /** A handler is here, and goes on. */
        void reached() {
            reached.countDown();
        }

        void awaitReached() throws InterruptedException {
            await(reached, "a handler");
        }

        void open() {
            opened.countDown();
        }

        private static void await(CountDownLatch latch, Object what) throws InterruptedException {
            if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("patience of " + what);
            }
        }
    }

    void send(int count) {
        for (int from = 0; from < count; from += SENT_AT_ONCE) {
            mail.sendAll(IntStream.range(from, Math.min(count, from + SENT_AT_ONCE))
                    .mapToObj(number -> Outgoing.of(Json.number(number)))
                    .toList());
        }
    }

    QueueFigures figures() {
        return mail.status().figures();
    }

    /** Looks again and again until it holds. */
    void until(BooleanSupplier holds) throws InterruptedException {
        if (!holdsWithin(PATIENCE, holds)) {
            throw new AssertionError("it does not come to hold");
        }
    }

    /** Looks again and again until it holds; returns false if it does not in this time. */
    boolean holdsWithin(Duration time, BooleanSupplier holds) throws InterruptedException {
        long deadline = environment.nanoTime() + time.toNanos();
        while (!holds.getAsBoolean()) {
            if (environment.nanoTime() > deadline) {
                return false;
            }
            environment.sleep(Duration.ofMillis(5));
        }
        return true;
    }

    /** Lets so much time pass. */
    void pass(Duration length) throws InterruptedException {
        environment.sleep(length);
    }

    /** Has another thread do something; the test waits for its end. */
    Thread start(Runnable task) {
        return environment.start("closer", task);
    }

    static void awaitEnd(Thread thread) throws InterruptedException {
        if (!thread.join(PATIENCE)) {
            throw new AssertionError("end of " + thread.getName());
        }
    }
}
