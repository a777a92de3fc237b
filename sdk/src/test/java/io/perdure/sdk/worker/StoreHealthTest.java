package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.Limits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whether lapsed runs may be taken, with leases of 10 s that are extended every 3 s. */
class StoreHealthTest {
    /** Close to where the count turns negative, as it may in any process. */
    private static final long BEGIN = Long.MAX_VALUE - 5;

    private static final Duration FRESH = Duration.ofSeconds(4);
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final StoreHealth health = new StoreHealth(Limits.defaults(), BEGIN);

    private static long at(double seconds) {
        return BEGIN + (long) (seconds * 1_000_000_000);
    }

    private void extended(double begun, double done) {
        health.extending(at(begun));
        health.extended(at(begun), at(done), true);
    }

    private void idle(double now) {
        health.extending(at(now));
        health.extended(at(now), at(now), false);
    }

    @Test
    void leaveAlone_whileExtensionsAreConfirmed_isNull() {
        extended(3, 3.1);

        assertThat(health.leaveAlone(at(6.9))).isNull();
        assertThat(health.leaveAlone(at(7))).isEqualTo(StoreHealth.SLACK);
    }

    @Test
    void leaveAlone_whileAnExtensionIsUnderWayForLong_isNotNullThoughClaimsAreAnswered() {
        extended(0.5, 0.6);
        health.extending(at(3));
        health.claimed(at(6), at(6.1));

        assertThat(health.leaveAlone(at(6.9))).isNull();
        assertThat(health.leaveAlone(at(7))).isEqualTo(StoreHealth.SLACK);
    }

    @Test
    void leaveAlone_afterALateExtension_isTheTimeInWhichOthersExtend() {
        extended(3, 11);

        assertThat(health.leaveAlone(at(11))).isEqualTo(FRESH);
        health.claimed(at(14), at(14.1));
        assertThat(health.leaveAlone(at(15))).isNull();
    }

    @Test
    void leaveAlone_afterAFailureThatWasSoonOver_isTheTimeInWhichOthersExtend() {
        extended(3, 3.1);
        health.extending(at(6));
        health.extensionFailed();
        assertThat(health.leaveAlone(at(6.1))).isEqualTo(StoreHealth.SLACK);
        extended(6.2, 6.3);

        assertThat(health.leaveAlone(at(6.3))).isEqualTo(FRESH);
    }

    @Test
    void leaveAlone_afterAnOutage_isOneLease() {
        health.extending(at(3));
        health.extensionFailed();
        extended(12, 12.1);

        assertThat(health.leaveAlone(at(12.1))).isEqualTo(LEASE);
    }

    /** Large histories make claims slow; that says nothing about the leases of others. */
    @Test
    void leaveAlone_afterSlowOrFailedClaimsOfAWorkerThatExtends_isNull() {
        extended(3, 3.1);
        health.claimed(at(3), at(6));
        health.claimFailed();

        assertThat(health.leaveAlone(at(6))).isNull();
    }

    @Test
    void leaveAlone_afterASlowClaimOfAWorkerWithoutLeases_isNotLengthenedByFurtherOnes() {
        idle(3);
        health.claimed(at(3), at(6));
        assertThat(health.leaveAlone(at(6))).isEqualTo(FRESH);

        idle(6);
        health.claimed(at(6), at(9));
        idle(9);
        assertThat(health.leaveAlone(at(9))).isEqualTo(Duration.ofSeconds(1));
        health.claimed(at(10), at(10.1));
        assertThat(health.leaveAlone(at(13))).isEqualTo(Duration.ofMillis(100));
        assertThat(health.leaveAlone(at(13.1))).isNull();
    }

    /** It has no other way to know that the store did not stand still until just now. */
    @Test
    void leaveAlone_ofAWorkerWithoutLeases_isNullOnceClaimsWereAnsweredForAWhile() {
        idle(3);
        idle(6);
        idle(9);
        assertThat(health.leaveAlone(at(9))).isEqualTo(StoreHealth.SLACK);
        health.claimed(at(9), at(9.5));

        assertThat(health.leaveAlone(at(10))).isEqualTo(Duration.ofMillis(2_500));
        assertThat(health.leaveAlone(at(12.5))).isNull();
        assertThat(health.leaveAlone(at(13))).isEqualTo(StoreHealth.SLACK);
    }

    @Test
    void before_ofAWorkerWithoutLeases_isEarlyEnoughToKnowThatTheStoreAnswers() {
        assertThat(health.before(LEASE)).isEqualTo(Duration.ofMillis(6_500));
        assertThat(health.before(Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        extended(3, 3.1);

        assertThat(health.before(LEASE)).isEqualTo(LEASE);
    }

    @Test
    void leaveAlone_afterClaimsOfAWorkerWithoutLeasesFailedForLong_isOneLease() {
        idle(3);
        health.claimFailed();
        idle(6);
        idle(9);
        assertThat(health.leaveAlone(at(9))).isEqualTo(StoreHealth.SLACK);
        health.claimed(at(12), at(12.1));

        assertThat(health.leaveAlone(at(12.1))).isEqualTo(LEASE);
    }

    @Test
    void leaveAlone_whileFailuresComeAgainAfterAnOutage_isNotOneLeaseEachTime() {
        health.extending(at(3));
        health.extensionFailed();
        extended(12, 12.1);
        health.extending(at(15));
        health.extensionFailed();
        extended(15.2, 15.3);

        assertThat(health.leaveAlone(at(15.3))).isEqualTo(Duration.ofMillis(6_800));
    }

    /** Two servers behind one address, of which one is away: every second call fails. */
    @Test
    void leaveAlone_whileEveryExtensionFailsAndSucceedsAtOnce_endsInTime() {
        for (int second = 3; second <= 6; second += 3) {
            health.extending(at(second));
            health.extensionFailed();
            extended(second + 0.2, second + 0.3);
        }

        assertThat(health.leaveAlone(at(7.2))).isEqualTo(Duration.ofMillis(100));
        assertThat(health.leaveAlone(at(7.3))).isNull();
    }

    /** What ended the leases of others may have started this worker, and those need a moment to try again. */
    @Test
    void leaveAlone_ofAWorkerThatWasJustStarted_isAMoment() {
        health.claimed(at(0), at(0.1));

        assertThat(health.leaveAlone(at(0.1))).isEqualTo(Duration.ofMillis(900));
        assertThat(health.leaveAlone(at(1))).isNull();
    }

    /** A process that was paused knows nothing of what happened meanwhile. */
    @Test
    void leaveAlone_afterAPauseOfAWorkerWithoutLeases_isTheTimeInWhichOthersExtend() {
        idle(20);

        assertThat(health.leaveAlone(at(20))).isEqualTo(FRESH);
    }
}
