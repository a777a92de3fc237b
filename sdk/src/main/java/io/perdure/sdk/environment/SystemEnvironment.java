package io.perdure.sdk.environment;

import io.perdure.sdk.id.Ids;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The real world: the system's clock, secure randomness, virtual threads. The only class of the engine that may ask for them. */
public final class SystemEnvironment implements Environment {
    private final InstantSource clock = InstantSource.system();
    private final SecureRandom random = new SecureRandom();
    private final Ids ids = new Ids(clock, random);

    /** Makes an environment of its own; a process needs only one. */
    public SystemEnvironment() {}

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Ids ids() {
        return ids;
    }

    /** Its number, and its machine where the system's environment names that: a look-up by the network could take its time. */
    @Override
    public String processName() {
        long pid = ProcessHandle.current().pid();
        return Stream.of("HOSTNAME", "COMPUTERNAME")
                .map(System::getenv)
                .filter(host -> host != null && !host.isBlank())
                .findFirst()
                .map(host -> pid + "@" + host)
                .orElse("process " + pid);
    }

    @Override
    public Thread start(String name, Runnable task) {
        return started(Thread.ofVirtual().name(name), task);
    }

    @Override
    public Thread startApart(String name, Runnable task) {
        return started(Thread.ofPlatform().name(name).daemon(), task);
    }

    /**
     * Hands down the class loader, and nothing else of the thread that happens to start it: a thread that lives on would bear the log context of
     * the request or run in which it was first needed.
     */
    private static Thread started(Thread.Builder builder, Runnable task) {
        Thread thread = builder.inheritInheritableThreadLocals(false).unstarted(task);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
        return thread;
    }

    @Override
    public Bell bell() {
        return new SystemBell();
    }

    private static final class SystemBell implements Bell {
        private final Semaphore rings = new Semaphore(0);

        @Override
        public void ring() {
            // Two at once may both see none and leave two: one wait takes both.
            if (rings.availablePermits() == 0) {
                rings.release();
            }
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            // Converted, not toNanos(): a sleep of centuries must not overflow.
            boolean rung = rings.tryAcquire(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS);
            return rings.drainPermits() > 0 || rung;
        }
    }
}
