package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ReclaimsTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    /** Close to where the count turns negative, as it may in any process. */
    private static final long BEGIN = Long.MAX_VALUE - 5;

    private final Reclaims reclaims = new Reclaims(new Random(7));

    private static long after(Duration time) {
        return BEGIN + time.toNanos();
    }

    @Test
    void whatLapsedBeforeAnythingIsKnownMayBeTaken() {
        assertThat(reclaims.left(BEGIN)).isNull();
    }

    @Test
    void aLeaseThatEndsIsLeftAloneForAWhile() {
        reclaims.dueIn(LEASE, BEGIN);

        assertThat(reclaims.left(after(LEASE.minusNanos(1)))).isNull();
        Duration left = reclaims.left(after(LEASE));
        assertThat(left).isPositive().isLessThan(Reclaims.SPREAD);
        assertThat(reclaims.left(after(LEASE.plus(left).minusNanos(1)))).isEqualTo(Duration.ofNanos(1));
        assertThat(reclaims.left(after(LEASE.plus(left)))).isNull();
    }

    /** Timers that are due one after the other must not put it off for ever. */
    @Test
    void aPauseIsNotLengthened() {
        reclaims.dueIn(LEASE, BEGIN);
        Duration left = reclaims.left(after(LEASE));
        assertThat(left).isNotNull();

        reclaims.dueIn(Duration.ofNanos(1), after(LEASE));
        reclaims.dueIn(LEASE, after(LEASE.plusNanos(1)));

        assertThat(reclaims.left(after(LEASE.plus(left)))).isNull();
    }

    /** A claim may begin within a pause and end after it, with the next timer close by. */
    @Test
    void afterAPauseLapsedRunsAreTakenBeforeTheNextBegins() {
        reclaims.dueIn(LEASE, BEGIN);
        Duration left = reclaims.left(after(LEASE));
        assertThat(left).isNotNull();
        long over = after(LEASE.plus(left));
        reclaims.dueIn(Duration.ofNanos(1), over);

        assertThat(reclaims.left(over + 1)).isNull();
        reclaims.dueIn(Duration.ofNanos(1), over + 1);
        assertThat(reclaims.left(over + 2)).isNotNull();
    }

    /** A lease was extended, or another one ends first. */
    @Test
    void aPauseThatHasNotBegunIsReplaced() {
        reclaims.dueIn(LEASE, BEGIN);
        reclaims.dueIn(LEASE.multipliedBy(2), BEGIN);

        assertThat(reclaims.left(after(LEASE))).isNull();
        assertThat(reclaims.left(after(LEASE.multipliedBy(2)))).isNotNull();
    }

    @Test
    void workersComeAtDifferentTimes() {
        TreeSet<Duration> pauses = new TreeSet<>();
        for (int worker = 0; worker < 100; worker++) {
            Reclaims other = new Reclaims(new Random(worker));
            other.dueIn(LEASE, BEGIN);
            Duration left = other.left(after(LEASE));
            assertThat(left).isNotNull();
            pauses.add(left);
        }

        assertThat(pauses).hasSizeGreaterThan(90);
        assertThat(pauses.last().minus(pauses.first())).isGreaterThan(Reclaims.SPREAD.dividedBy(2));
    }
}
