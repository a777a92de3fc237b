package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How leases that ran out are counted, so that a run which kills its workers is noticed. */
abstract class LapseContract extends StoreFixture {
    LapseContract(StoreFactory factory) {
        super(factory);
    }

    private ClaimedRun lapseAndClaim() {
        clock.move(LEASE);
        return claim(1).getFirst();
    }

    private void lapse(int times) {
        for (int time = 0; time < times; time++) {
            lapseAndClaim();
        }
    }

    @Test
    final void aFreshRunHasNoLapses() {
        started();
        assertThat(claim(1).getFirst().lapses()).isZero();
    }

    @Test
    final void tenLapsesInARowAreToldToTheWorkerThatParksTheRun() {
        started();
        claim(1);
        int limit = Limits.defaults().runs().lapsesBeforeParking();
        for (int lapses = 1; lapses <= limit; lapses++) {
            assertThat(lapseAndClaim().lapses()).isEqualTo(lapses);
        }
    }

    @Test
    final void lapsesAloneNeitherParkNorDropARun() {
        var run = started();
        claim(1);
        lapse(25);
        assertThat(lapseAndClaim().run()).isEqualTo(run);
    }

    @Test
    final void progressResetsTheLapses() {
        started();
        claim(1);
        lapse(5);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        appended(holder.appends(1, Events.step("a")));
        // The lease that made progress ran out after it: the first one since.
        assertThat(lapseAndClaim().lapses()).isEqualTo(1);
        assertThat(lapseAndClaim().lapses()).isEqualTo(2);
    }

    @Test
    final void progressCountsEvenIfItCameAfterTheLeaseRanOut() {
        started();
        claim(1);
        lapse(5);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        clock.move(LEASE);
        appended(holder.appends(1, Events.step("a")));
        assertThat(claim(1).getFirst().lapses()).isEqualTo(1);
    }

    @Test
    final void aCleanReleaseResetsTheLapses() {
        started();
        claim(1);
        lapse(5);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        appended(holder.releases(1, Release.until(Due.atOnce())));
        assertThat(claim(1).getFirst().lapses()).isZero();
    }

    @Test
    final void signalsAreNoProgress() {
        var run = started();
        claim(1);
        lapse(2);
        commit(signal(run, Events.VERIFY));
        assertThat(lapseAndClaim().lapses()).isEqualTo(3);
    }

    @Test
    final void extendingALeaseIsNoProgress() {
        started();
        claim(1);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        store.extend(List.of(holder.extendedBy(HOUR)));
        clock.move(HOUR);
        assertThat(claim(1).getFirst().lapses()).isEqualTo(2);
    }

    @Test
    final void aResumedRunStartsWithoutLapses() {
        var run = started();
        claim(1);
        lapse(5);
        appended(intervene(run, Events.parked()));
        appended(intervene(run, Events.resumed()));
        assertThat(claim(1).getFirst().lapses()).isZero();
    }
}
