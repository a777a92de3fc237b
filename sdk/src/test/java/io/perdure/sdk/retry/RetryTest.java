package io.perdure.sdk.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final RandomGenerator random = new Random(42);

    @Test
    void delaysGrowAsTheirKindSays() {
        assertThat(seconds(Backoff.fixed(SECOND))).containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L);
        assertThat(seconds(Backoff.linear(SECOND, Duration.ofSeconds(5))))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 5L, 5L, 5L);
        assertThat(seconds(Backoff.exponential(SECOND, MINUTE))).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    @Test
    void aVeryLongSeriesOfFailuresStaysAtTheMaximum() {
        assertThat(Backoff.exponential(SECOND, MINUTE).after(Integer.MAX_VALUE, random))
                .isEqualTo(MINUTE);
        assertThat(Backoff.linear(SECOND, MINUTE).after(Integer.MAX_VALUE, random))
                .isEqualTo(MINUTE);
    }

    @Test
    void jitterSpreadsWithinItsShareAndNeverPastTheMaximum() {
        Backoff backoff = Backoff.exponential(Duration.ofSeconds(10), MINUTE).withJitter(0.2);
        List<Long> first = IntStream.range(0, 1000)
                .mapToObj(_ -> backoff.after(1, random).toMillis())
                .toList();

        assertThat(first).allMatch(millis -> millis >= 8_000 && millis <= 12_000);
        assertThat(first.stream().distinct().count()).isGreaterThan(500);
        assertThat(IntStream.range(0, 1000).mapToObj(_ -> backoff.after(9, random)))
                .allMatch(delay -> delay.compareTo(MINUTE) <= 0);
    }

    @Test
    void theDefaultIsThreeAttemptsFromOneSecondWithTwentyPercentJitter() {
        Retry retry = Retry.defaults();

        assertThat(retry.attempts()).isEqualTo(3);
        assertThat(retry.backoff()).isEqualTo(new Backoff(Backoff.Kind.EXPONENTIAL, SECOND, MINUTE, 0.2));
        assertThat(retry.after(1, random)).isPresent();
        assertThat(retry.after(2, random)).isPresent();
        assertThat(retry.after(3, random)).isEmpty();
        assertThat(Retry.never().after(1, random)).isEmpty();
    }

    @Test
    void aBaseOverTheDefaultMaximumRaisesTheMaximum() {
        assertThat(Retry.exponential(2, Duration.ofHours(1)).backoff().max()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void linearDelaysGrowByTheirBaseAndFixedOnesDoNotGrow() {
        Retry linear = Retry.linear(5, SECOND);
        Retry fixed = Retry.fixed(3, SECOND);

        assertThat(linear.backoff()).isEqualTo(new Backoff(Backoff.Kind.LINEAR, SECOND, MINUTE, 0.2));
        assertThat(fixed.backoff()).isEqualTo(Backoff.fixed(SECOND));
        assertThat(fixed.after(2, random)).contains(SECOND);
        assertThat(fixed.after(3, random)).isEmpty();
    }

    @Test
    void anErrorNamedAsFinalIsSoWithItsSubclasses() {
        Retry retry = Retry.defaults().notOn(IOException.class).notOn(IllegalStateException.class);

        assertThat(retry.mayMend(new IOException())).isFalse();
        assertThat(retry.mayMend(new FileNotFoundException())).isFalse();
        assertThat(retry.mayMend(new IllegalStateException())).isFalse();
        assertThat(retry.mayMend(new Exception(new IOException()))).isTrue();
        assertThat(Retry.defaults().mayMend(new StackOverflowError())).isTrue();
    }

    @Test
    void theTimeoutIsKeptWithWhatElseIsSaid() {
        Retry retry = Retry.fixed(2, SECOND).timeout(MINUTE).notOn(Error.class);

        assertThat(retry).isEqualTo(new Retry(2, Backoff.fixed(SECOND), MINUTE, List.of(Error.class)));
        assertThat(Retry.defaults().timeout()).isNull();
    }

    @Test
    void delaysOfCenturiesAreTaken() {
        Duration centuries = Duration.ofDays(1_000_000);

        assertThat(Backoff.fixed(centuries).after(1, random)).isEqualTo(centuries);
        assertThat(Backoff.exponential(centuries, Duration.ofSeconds(Long.MAX_VALUE))
                        .after(100, random))
                .isGreaterThan(centuries);
    }

    @Test
    void valuesOutOfBoundsAreRefused() {
        assertRefused(() -> Retry.defaults().timeout(Duration.ZERO));
        assertRefused(() -> Retry.defaults().timeout(Duration.ofSeconds(-1)));
        assertRefused(() -> Retry.exponential(0, SECOND));
        assertRefused(() -> Backoff.exponential(Duration.ofSeconds(-1), MINUTE));
        assertRefused(() -> Backoff.exponential(MINUTE, SECOND));
        assertRefused(() -> Backoff.fixed(SECOND).withJitter(1.1));
        assertRefused(() -> Backoff.fixed(SECOND).withJitter(Double.NaN));
        assertRefused(() -> Backoff.fixed(SECOND).after(0, random));
    }

    private List<Long> seconds(Backoff backoff) {
        return IntStream.rangeClosed(1, 8)
                .mapToObj(failures -> backoff.after(failures, random).toSeconds())
                .toList();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_BOUNDS));
    }
}
