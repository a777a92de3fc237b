package io.perdure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** Tries something that needs to be done within a given time. */
@FunctionalInterface
public interface TimedAttempt {
    /** Returns false if the time was not enough. */
    boolean within(Duration time) throws InterruptedException;

    /** Repeats an attempt with twice the time until the time is enough: a machine that stalls voids some attempts. Fails once a minute was not enough. */
    static void withTimeEnough(Duration first, TimedAttempt attempt) throws InterruptedException {
        Duration time = first;
        while (!attempt.within(time)) {
            assertThat(time).as("the time that was not enough").isLessThan(Duration.ofSeconds(60));
            time = time.multipliedBy(2);
        }
    }
}
