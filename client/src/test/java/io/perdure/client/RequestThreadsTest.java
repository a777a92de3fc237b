package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests have threads when they need them, and few threads stay. */
class RequestThreadsTest {
    private final Queue<Thread> apart = new ConcurrentLinkedQueue<>();
    private final Environment real = new SystemEnvironment();
    private volatile boolean noThreads;
    private final RequestThreads threads = new RequestThreads(new ForwardingEnvironment() {
        @Override
        public Environment real() {
            return real;
        }

        @Override
        public Thread startApart(String name, Runnable task) {
            if (noThreads) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread thread = real.startApart(name, task);
            apart.add(thread);
            return thread;
        }
    });

    @AfterEach
    void close() {
        threads.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private long alive() {
        return apart.stream().filter(Thread::isAlive).count();
    }

    /** Starts so many that wait until all of them have begun. */
    private void startTogether(int count) {
        CountDownLatch begun = new CountDownLatch(count);
        CountDownLatch done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            threads.start(() -> {
                begun.countDown();
                await(begun);
                done.countDown();
            });
        }
        await(done);
    }

    @Test
    void start_whileAThreadWaits_usesThatThread() {
        for (int i = 0; i < 20; i++) {
            startTogether(1);
            Eventually.holds(() -> apart.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        }
        assertThat(apart).hasSize(1);
    }

    @Test
    void start_ofMoreThanThereAreThreads_runsThemAllAtOnceAndKeepsFewThreads() {
        startTogether(3 * RequestThreads.APART);

        assertThat(apart).hasSizeLessThanOrEqualTo(RequestThreads.APART);
        Eventually.holds(() -> alive() <= 8);
        startTogether(3 * RequestThreads.APART);
    }

    @Test
    void start_whileNoThreadOfTheOperatingSystemCanBeStarted_runsOnAVirtualOne() {
        noThreads = true;
        startTogether(3);
        assertThat(apart).isEmpty();
    }

    @Test
    void close_letsThreadsEnd_andWhatComesLaterStillRuns() {
        startTogether(20);
        threads.close();
        Eventually.holds(() -> alive() == 0);

        startTogether(100);
        Eventually.holds(() -> alive() == 0);
    }

    @Test
    void start_fromManyThreads_runsEachTaskOnce() {
        int tasks = 10_000;
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(tasks);
        for (int i = 0; i < tasks; i++) {
            Thread.startVirtualThread(() -> threads.start(() -> {
                runs.incrementAndGet();
                done.countDown();
            }));
        }
        await(done);
        threads.close();
        Eventually.holds(() -> alive() == 0);
        assertThat(runs).hasValue(tasks);
    }
}
