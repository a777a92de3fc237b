package io.perdure.core.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SignalledReadsTest {
    private static final int READS = 20;

    private final AtomicBoolean refused = new AtomicBoolean();
    private final SignalledReads reads = new SignalledReads(environment());
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final CountDownLatch begun = new CountDownLatch(SignalledReads.MOST_THREADS);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(READS);

    /** A real one that can refuse to start threads of the operating system. */
    private Environment environment() {
        Environment real = new SystemEnvironment();
        return (Environment) Proxy.newProxyInstance(
                Environment.class.getClassLoader(), new Class<?>[] {Environment.class}, (_, method, arguments) -> {
                    if (method.getName().equals("startApart") && refused.get()) {
                        throw new OutOfMemoryError("No more threads.");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void read() {
        threads.add(Thread.currentThread());
        begun.countDown();
        await(goOn);
        done.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void submit_ofManyReads_doesAllOnAFewThreadsOfTheOperatingSystem() {
        for (int number = 0; number < READS; number++) {
            reads.submit(this::read);
        }
        await(begun);
        goOn.countDown();
        await(done);

        assertThat(threads).hasSize(SignalledReads.MOST_THREADS).noneMatch(Thread::isVirtual);
    }

    @Test
    void submit_whileNoMoreThreadsCanBeStarted_leavesTheReadsToThoseThatRun() {
        reads.submit(this::read);
        refused.set(true);
        for (int number = 1; number < READS; number++) {
            reads.submit(this::read);
        }
        goOn.countDown();
        await(done);

        assertThat(threads).hasSize(1);
    }

    @Test
    void submit_whileNoThreadCanBeStarted_throwsAndDoesNotRead() {
        AtomicInteger read = new AtomicInteger();
        CountDownLatch last = new CountDownLatch(1);
        refused.set(true);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> reads.submit(read::incrementAndGet));
        refused.set(false);

        reads.submit(last::countDown);
        await(last);

        assertThat(read).hasValue(0);
    }
}
