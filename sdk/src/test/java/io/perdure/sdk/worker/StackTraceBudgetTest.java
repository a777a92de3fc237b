package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StackTraceBudgetTest {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    private static Failure failure(int stackTraceBytes) {
        String trace = "\tat a.B\n".repeat(stackTraceBytes / 8);
        return new Failure("a.B", "", null, stackTraceBytes == 0 ? null : trace);
    }

    private static List<Recorded> history(int failures) {
        return IntStream.range(0, failures)
                .mapToObj(at -> new Recorded(
                        at,
                        Instant.EPOCH,
                        null,
                        new Event.StepFailed(new StepName("charge-" + at), 1, failure(8 * KIB), true)))
                .toList();
    }

    /** Returns the bytes of stack traces that a number of failed attempts record. */
    private static long recorded(StackTraceBudget budget, IntStream attempts) {
        return attempts.mapToLong(attempt -> {
                    int most = budget.most(attempt, false);
                    budget.add(failure(most));
                    return most;
                })
                .sum();
    }

    @Test
    void most_ofManyStepsThatFailOnceEach_keepsTheRunWithinItsBudget() {
        long bytes = recorded(
                new StackTraceBudget(List.of()), IntStream.range(0, 100_000).map(_ -> 1));

        assertThat(bytes).isBetween(4L * MIB, 4L * MIB + 8 * KIB);
    }

    @Test
    void most_ofOneStepThatFailsManyTimes_keepsTheRunWithinItsBudget() {
        long bytes = recorded(new StackTraceBudget(List.of()), IntStream.rangeClosed(1, 100_000));

        assertThat(bytes).isBetween(4L * MIB, 4L * MIB + 8 * KIB);
    }

    @Test
    void most_byTheBytesInTheHistory_isFullThenLessThenNone() {
        assertThat(new StackTraceBudget(history(0)).most(10, false)).isEqualTo(8 * KIB);
        assertThat(new StackTraceBudget(history(0)).most(11, false)).isEqualTo(KIB);
        assertThat(new StackTraceBudget(history(127)).most(1, false)).isEqualTo(8 * KIB);
        assertThat(new StackTraceBudget(history(128)).most(1, false)).isEqualTo(KIB);
        assertThat(new StackTraceBudget(history(511)).most(1, false)).isEqualTo(KIB);
        assertThat(new StackTraceBudget(history(512)).most(1, false)).isZero();
    }

    @Test
    void most_ofAnAttemptThatFailsTheRun_isAlwaysFull() {
        assertThat(new StackTraceBudget(history(512)).most(1, true)).isEqualTo(8 * KIB);
        assertThat(new StackTraceBudget(history(0)).most(11, true)).isEqualTo(8 * KIB);
    }
}
