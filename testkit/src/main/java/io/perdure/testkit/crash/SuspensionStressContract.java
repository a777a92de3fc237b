package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.testkit.Seeds;
import io.perdure.testkit.crash.AttackedStore.Tally;
import io.perdure.testkit.crash.SuspensionStress.Order;
import io.perdure.testkit.crash.SuspensionStress.Views;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Signals, cancels and lease expiries at the very moment of suspension: none lost, none doubled, no run hanging. */
@Timeout(300)
public abstract class SuspensionStressContract extends CrashFixture {
    private static final int SUSPENSIONS = 100_000;
    private static final int AT_ONCE = 1_000;
    private static final int FEW = 5_000;
    private static final int FEW_AT_ONCE = 4;
    private static final long SEED = 7;

    @Test
    void whatStrikesAtTheMomentOfSuspensionIsNeitherLostNorDoubled() {
        Tally tally = struck(SUSPENSIONS, AT_ONCE);
        assertThat(tally.suspended.sum()).as("suspended").isGreaterThan(SUSPENSIONS / 10);
        assertThat(tally.woken.sum()).as("woken").isGreaterThan(SUSPENSIONS / 10);
        assertThat(tally.lost.sum()).as("lost").isGreaterThan(SUSPENSIONS / 500);
    }

    /** With so few at once, most commits travel alone. */
    @Test
    void nothingIsLostOrDoubledWhereWhoSignalsTakesTheRunAlong() {
        Tally tally = struck(FEW, FEW_AT_ONCE);
        if (takesAlong()) {
            assertThat(tally.along.sum()).as("taken along").isGreaterThan(FEW / 50);
        }
    }

    private Tally struck(int suspensions, int atOnce) {
        long seed = Seeds.asked().findFirst().orElse(SEED);
        try (Store left = open();
                Store right = beside(left);
                Store outside = beside(left)) {
            Tally tally = new SuspensionStress(new Order(seed, suspensions, atOnce, LONG))
                    .over(new Views(left, right, outside));
            assertThat(tally.all.sum()).isGreaterThanOrEqualTo(suspensions);
            return tally;
        }
    }

    /** Whether the store takes runs along with the commit that makes them due. */
    protected boolean takesAlong() {
        return false;
    }
}
