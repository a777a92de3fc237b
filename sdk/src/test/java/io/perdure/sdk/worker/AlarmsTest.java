package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlarmsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> done = new ArrayList<>();
    private final Ending time = new Ending();
    private final Alarms alarms = new Alarms(time);

    /** Time stands still but when somebody waits, and then goes on to the end of that wait. About to go over the largest number. */
    private static final class Ending implements ForwardingEnvironment {
        private final Environment real = new SystemEnvironment();
        private long nanos = Long.MAX_VALUE - SECOND.toNanos();

        @Override
        public Environment real() {
            return real;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Bell bell() {
            return new Bell() {
                @Override
                public void ring() {
                    // Whoever waits is the one thread of these tests.
                }

                @Override
                public boolean await(Duration atMost) {
                    nanos += atMost.toNanos();
                    return false;
                }
            };
        }
    }

    private Runnable in(int seconds, String what) {
        return alarms.in(SECOND.multipliedBy(seconds), () -> done.add(what));
    }

    private void runUntilClosedIn(int seconds) {
        alarms.in(SECOND.multipliedBy(seconds), alarms::close);
        alarms.run();
    }

    @Test
    void actionsAreDoneInTheOrderOfTheirTimes() {
        in(3, "third");
        in(1, "first");
        in(2, "second");
        runUntilClosedIn(4);

        assertThat(done).containsExactly("first", "second", "third");
    }

    @Test
    void actionsOfOneTimeAreAllDone() {
        in(1, "one");
        in(1, "other");
        Runnable same = in(1, "called off");
        in(1, "last");
        same.run();
        runUntilClosedIn(2);

        assertThat(done).containsExactly("one", "other", "last");
    }

    @Test
    void whatIsCalledOffIsNotDoneAndMayBeCalledOffAgain() {
        Runnable calledOff = in(1, "not this");
        in(2, "this");
        calledOff.run();
        calledOff.run();
        runUntilClosedIn(3);

        assertThat(done).containsExactly("this");
    }

    /** An action that counts how often somebody holds it against another. */
    private static final class Compared implements Runnable {
        static final AtomicInteger COUNT = new AtomicInteger();

        @Override
        public void run() {
            // Only its identity counts.
        }

        @Override
        public boolean equals(Object other) {
            COUNT.incrementAndGet();
            return this == other;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    @Test
    void toCallOneOffIsNotToLookThroughAllOthers() {
        List<Runnable> callOffs = IntStream.range(0, 1_000)
                .mapToObj(_ -> alarms.in(SECOND, new Compared()))
                .toList();
        callOffs.reversed().forEach(Runnable::run);

        assertThat(Compared.COUNT).hasValue(0);
    }
}
