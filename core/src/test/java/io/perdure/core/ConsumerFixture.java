package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.retry.Backoff;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** An engine whose queue is consumed, by handlers that wait where a test wants them to. */
abstract class ConsumerFixture extends PerdureFixture {
    static final String INTAKE = "perdure-intake";
    static final String KEEPER = "perdure-keeper";
    static final String MESSAGE = "perdure-message";
    /** Messages whose handlers fail are delivered again at once. */
    static final ConsumeOptions AT_ONCE = ConsumeOptions.defaults().retryDelay(Backoff.fixed(Duration.ZERO));

    static final ConsumeOptions ONE_AT_A_TIME = AT_ONCE.concurrency(1).prefetch(0);

    /** A third of the default visibility: after so long leases are extended. */
    static final Duration THIRD = Duration.ofSeconds(10);

    /** Where handlers wait until a test lets them go on. */
    static final class Gate {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        void pass(Object who) throws InterruptedException {
            reached();
            assertThat(opened.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("patience of %s", who)
                    .isTrue();
        }

        /** The same for a handler that does not care for interrupts. */
        void passUninterrupted(Object who) {
            try {
                pass(who);
            } catch (InterruptedException e) {
                passUninterrupted(who);
            }
        }

        /** A handler is here, and goes on. */
        void reached() {
            reached.countDown();
        }

        void awaitReached() throws InterruptedException {
            assertThat(reached.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        void open() {
            opened.countDown();
        }
    }

    void send(int count) {
        mail.sendAll(IntStream.range(0, count)
                .mapToObj(number -> Outgoing.of(Json.number(number)))
                .toList());
    }

    /** Returns when it is so. */
    static void until(BooleanSupplier condition) {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - began).as("patience").isLessThan(VirtualTime.PATIENCE.toNanos());
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Returns when the thread has ended. */
    static void awaitEnd(Thread thread) throws InterruptedException {
        assertThat(thread.join(VirtualTime.PATIENCE))
                .as("end of %s", thread.getName())
                .isTrue();
    }

    /** Lets so many thirds of a lease pass; returns when leases were extended after each. */
    void passThirds(int count) throws InterruptedException {
        for (int third = 0; third < count; third++) {
            time.awaitIdle(KEEPER, 1);
            int extensions = bent.count("extend");
            time.pass(THIRD);
            awaitCalls("extend", extensions + 1);
        }
        time.awaitIdle(KEEPER, 1);
    }
}
