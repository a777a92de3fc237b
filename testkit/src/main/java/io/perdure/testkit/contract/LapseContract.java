package io.perdure.testkit.contract;

import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Outcome;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.RunId;
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
    final void release_afterANewEvent_resetsTheLapses() {
        started();
        claim(1);
        lapse(5);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        appended(holder.releases(1, Release.until(Due.atOnce()), Events.step("a")));
        assertThat(claim(1).getFirst().lapses()).isZero();
    }

    @Test
    final void release_afterAnEarlierCommitOfTheSameLease_resetsTheLapses() {
        started();
        claim(1);
        lapse(5);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        appended(holder.appends(1, Events.step("a")));
        appended(holder.releases(2, Release.until(Due.atOnce())));
        assertThat(claim(1).getFirst().lapses()).isZero();
    }

    @Test
    final void release_untilALaterTimeAfterANewEvent_resetsTheLapses() {
        started();
        claim(1);
        lapse(5);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        appended(holder.releases(1, Release.until(Due.in(MINUTE)), Events.step("a")));
        clock.move(MINUTE);
        assertThat(claim(1).getFirst().lapses()).isZero();
    }

    /** A process that has no room for a run gives it back unread for a while. */
    @Test
    final void release_untilALaterTimeWithoutANewEvent_keepsTheLapses() {
        started();
        claim(1);
        lapse(5);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        appended(holder.releases(1, Release.until(Due.in(MINUTE))));
        clock.move(MINUTE);
        assertThat(claim(1).getFirst().lapses()).isEqualTo(6);
    }

    @Test
    final void release_untilAnEvent_resetsTheLapses() {
        RunId run = started();
        claim(1);
        lapse(5);
        appended(Holder.of(TENANT, lapseAndClaim()).suspends(1, 0, Events.VERIFY));
        commit(signal(run, Events.VERIFY));
        assertThat(claim(1).getFirst().lapses()).isZero();
    }

    /** A process that has no room for a run gives it back unread. The next one must still learn that the run kills its processes. */
    @Test
    final void release_ofARunAsItWasClaimed_keepsTheLapses() {
        started();
        claim(1);
        lapse(5);
        Holder holder = Holder.of(TENANT, lapseAndClaim());
        appended(holder.releases(1, Release.until(Due.atOnce())));
        ClaimedRun again = claim(1).getFirst();
        assertThat(again.lapses()).isEqualTo(6);
        appended(Holder.of(TENANT, again).releases(1, Release.until(Due.atOnce())));
        assertThat(claim(1).getFirst().lapses()).isEqualTo(6);
        assertThat(lapseAndClaim().lapses()).isEqualTo(7);
    }

    @Test
    final void release_ofManyRunsAtOnce_keepsTheLapsesOfThoseWithoutProgress() {
        for (int run = 0; run < 4; run++) {
            started();
        }
        claim(10);
        clock.move(LEASE);
        List<Holder> holders =
                claim(10).stream().map(claimed -> Holder.of(TENANT, claimed)).toList();
        Release atOnce = Release.until(Due.atOnce());
        commitTogether(
                holders.get(0).releases(1, atOnce),
                holders.get(1).releases(1, atOnce, Events.step("a")),
                holders.get(2).releases(1, atOnce),
                holders.get(3).releases(1, Release.until(Due.in(MOMENT))));
        clock.move(MOMENT);
        assertThat(claim(10).stream().sorted(comparing(ClaimedRun::run)))
                .extracting(ClaimedRun::lapses)
                .containsExactly(1, 0, 1, 1);
    }

    @Test
    final void release_afterALostNumber_keepsTheLapses() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a")));
        lapse(3);
        Holder last = Holder.of(TENANT, lapseAndClaim());
        // As a process does that has not read the run, and so does not know the number of its last event.
        expect(Outcome.Conflict.class, last.releases(1, Release.until(Due.atOnce())));
        appended(last.releases(2, Release.until(Due.atOnce())));
        assertThat(claim(1).getFirst().lapses()).isEqualTo(4);
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
