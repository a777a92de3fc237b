package io.perdure.sdk.environment;

import io.perdure.sdk.id.Ids;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Everything an engine needs from the world around it besides its store. {@link SystemEnvironment} is the real one; a
 * simulation brings its own and decides the order of all that happens. The architecture test holds {@code sdk} and
 * {@code core} to it: nothing there reads a clock, draws a number, starts a thread or waits with a time limit otherwise.
 */
public interface Environment {
    /** The time of day in this process. What decides leases and timers is the store's clock, not this one. */
    InstantSource clock();

    /** Nanoseconds that never go back, for measuring spans within this process. */
    long nanoTime();

    /** Randomness for jitter, sampling and secrets, so the real one is cryptographic; safe for many threads. */
    RandomGenerator random();

    /** Fresh ids; safe for many threads. */
    Ids ids();

    /** What people know this process by, such as its number and its machine. */
    default String processName() {
        return "process";
    }

    /** Starts a virtual thread that runs the task. */
    Thread start(String name, Runnable task);

    /**
     * Starts a thread of the operating system that runs the task, and does not keep the process alive: for what must go on in
     * time while steps that never wait keep every virtual thread's carrier busy.
     */
    Thread startApart(String name, Runnable task);

    /** A new bell, for threads of this environment to wait at. */
    Bell bell();

    /** Waits for so long; wakes early only by interruption. */
    default void sleep(Duration atMost) throws InterruptedException {
        boolean rung = bell().await(atMost);
        assert !rung : "a bell nobody else holds cannot ring";
    }
}
