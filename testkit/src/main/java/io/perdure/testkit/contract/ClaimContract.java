package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Lease;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.testkit.StoreFactory;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How workers get runs. */
abstract class ClaimContract extends StoreFixture {
    ClaimContract(StoreFactory factory) {
        super(factory);
    }

    private Claimed claim(int max, Served... served) {
        return store.claim(new ClaimRuns(TENANT, List.of(served), max, lease()));
    }

    private List<RunId> claimed(int max, Served... served) {
        return claim(max, served).runs().stream().map(ClaimedRun::run).toList();
    }

    private static Served serves(WorkflowName workflow, Integer... versions) {
        return new Served(workflow, Set.of(versions));
    }

    @Test
    final void aClaimLeasesWhatIsDue() {
        RunId run = started();
        Lease lease = lease();
        assertThat(claim(10, lease))
                .containsExactly(new ClaimedRun(
                        run, WORKFLOW, 1, new Receipt(MessageId.of(run), lease.token()), 0, NOON.plus(LEASE)));
        assertThat(messageOf(run).leased()).isTrue();
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON.plus(LEASE));
    }

    @Test
    final void aLeasedRunIsNotClaimedAgainUntilItsLeaseEnds() {
        RunId run = started();
        assertThat(due()).containsExactly(run);
        clock.move(LEASE.minus(MOMENT));
        assertThat(due()).isEmpty();
        clock.move(MOMENT);
        assertThat(messageOf(run).leased()).isFalse();
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void whatIsClaimedOnceMoreBelongsToTheSecondWorker() {
        started();
        Holder first = claimOnly();
        clock.move(LEASE);
        Holder second = claimOnly();
        leaseLost(first.appends(1, Events.step("a")));
        appended(second.appends(1, Events.step("a")));
    }

    @Test
    final void aClaimThatDoesNotReclaimLeavesLapsedRunsToTheirHolders() {
        RunId lapsed = started();
        Holder holder = claimOnly();
        RunId fresh = started();
        clock.move(LEASE);
        var request = new ClaimRuns(TENANT, List.of(serves(WORKFLOW, 1)), 10, lease(), NOON.plus(LEASE));
        assertThat(store.claim(request).runs()).extracting(ClaimedRun::run).containsExactly(fresh);
        appended(holder.appends(1, Events.step("a")));
        assertThat(due()).containsExactly(lapsed);
    }

    @Test
    final void aClaimReclaimsUntilTheTimeItNames() {
        RunId lapsed = started();
        assertThat(due()).containsExactly(lapsed);
        clock.move(LEASE);
        var request = new ClaimRuns(
                TENANT,
                List.of(serves(WORKFLOW, 1)),
                10,
                lease(),
                NOON.plus(LEASE).plus(MOMENT));
        assertThat(store.claim(request).runs()).extracting(ClaimedRun::run).containsExactly(lapsed);
    }

    @Test
    final void lapsedRunsInFrontDoNotHideFreshOnesFromAClaimThatDoesNotReclaim() {
        started();
        started();
        assertThat(due()).hasSize(2);
        clock.move(LEASE);
        RunId fresh = started();
        var request = new ClaimRuns(TENANT, List.of(serves(WORKFLOW, 1)), 1, lease(), NOON.plus(LEASE));
        assertThat(store.claim(request).runs()).extracting(ClaimedRun::run).containsExactly(fresh);
    }

    @Test
    final void runsComeInTheOrderTheyBecameReady() {
        RunId late = started(newRun().ready(Due.in(HOUR)));
        RunId early = started(newRun().ready(Due.in(MINUTE)));
        RunId now = started();
        clock.move(HOUR);
        assertThat(due()).containsExactly(now, early, late);
    }

    @Test
    final void runsThatBecameReadyTogetherComeInTheOrderOfTheirIds() {
        NewRun first = newRun();
        NewRun second = newRun();
        NewRun third = newRun();
        RunId thirdId = started(third);
        RunId firstId = started(first);
        RunId secondId = started(second);
        assertThat(due()).containsExactly(firstId, secondId, thirdId);
    }

    @Test
    final void aRunThatWaitsForItsNextTurnDoesNotOvertake() {
        RunId waiting = suspendedOn(Events.VERIFY);
        clock.move(MINUTE);
        RunId started = started();
        clock.move(MINUTE);
        commit(signal(waiting, Events.VERIFY));
        assertThat(due()).containsExactly(started, waiting);
    }

    @Test
    final void aClaimTakesNoMoreThanItHasRoomFor() {
        RunId first = started();
        RunId second = started();
        RunId third = started();
        assertThat(claimed(2, serves(WORKFLOW, 1))).containsExactly(first, second);
        assertThat(claimed(2, serves(WORKFLOW, 1))).containsExactly(third);
    }

    @Test
    final void workflowsTakeTurnsInTheOrderTheyAreServed() {
        RunId a1 = started();
        RunId a2 = started();
        RunId a3 = started();
        RunId b1 = started(newRun().workflow(OTHER_WORKFLOW));
        RunId b2 = started(newRun().workflow(OTHER_WORKFLOW));
        assertThat(claimed(4, serves(OTHER_WORKFLOW, 1), serves(WORKFLOW, 1))).containsExactly(b1, a1, b2, a2);
        assertThat(claimed(4, serves(OTHER_WORKFLOW, 1), serves(WORKFLOW, 1))).containsExactly(a3);
    }

    @Test
    final void versionsTakeTurnsFromTheNewestDown() {
        RunId oldest = started(newRun().version(1));
        RunId older = started(newRun().version(2));
        RunId older2 = started(newRun().version(2));
        RunId newest = started(newRun().version(10));
        assertThat(claimed(10, serves(WORKFLOW, 2, 10, 1))).containsExactly(newest, older, oldest, older2);
    }

    @Test
    final void onlyTheVersionsServedAreClaimed() {
        started(newRun().version(1));
        RunId run = started(newRun().version(2));
        started(newRun().version(3));
        started(newRun().workflow(OTHER_WORKFLOW).version(2));
        assertThat(claimed(10, serves(WORKFLOW, 2, 4))).containsExactly(run);
    }

    @Test
    final void aRunWithoutAVersionTakesTheNewestOneServed() {
        RunId run = started(newRun().version(null));
        Claimed claimed = claim(10, serves(WORKFLOW, 3, 9, 4));
        assertThat(claimed.runs()).extracting(ClaimedRun::run).containsExactly(run);
        assertThat(claimed.runs().getFirst().version()).isEqualTo(9);
        assertThat(row(run).version()).isEqualTo(9);
        assertThat(row(run).definition().version()).isNull();
        assertThat(messageOf(run).queue()).isEqualTo(QueueName.ofRuns(WORKFLOW, 9));
    }

    @Test
    final void theVersionTakenAtTheFirstClaimIsKept() {
        RunId run = started(newRun().version(null));
        assertThat(claimed(1, serves(WORKFLOW, 3))).containsExactly(run);
        clock.move(LEASE);
        assertThat(claimed(1, serves(WORKFLOW, 4))).isEmpty();
        assertThat(claimed(1, serves(WORKFLOW, 4, 3))).containsExactly(run);
        assertThat(row(run).version()).isEqualTo(3);
    }

    @Test
    final void aClaimChangesNoEvent() {
        RunId run = started(newRun().version(null));
        var before = snapshot(run).history();
        claim(1, serves(WORKFLOW, 3));
        assertThat(snapshot(run).history()).isEqualTo(before);
    }

    @Test
    final void runsThatEndedOrAreParkedAreNotClaimed() {
        ended(newRun(), Events.completed("1"));
        ended(newRun(), Events.failed());
        ended(newRun(), Events.cancelled());
        ended(newRun(), Events.parked());
        clock.move(HOUR);
        assertThat(due()).isEmpty();
    }

    @Test
    final void theTimeToAskAgainIsWhenTheNextRunIsReady() {
        started(newRun().ready(Due.in(HOUR)));
        RunId early = started(newRun().ready(Due.in(MINUTE)));
        assertThat(claim(10, serves(WORKFLOW, 1)).nextReady()).isEqualTo(NOON.plus(MINUTE));

        clock.move(MINUTE);
        Claimed claimed = claim(10, serves(WORKFLOW, 1));
        assertThat(claimed.runs()).extracting(ClaimedRun::run).containsExactly(early);
        assertThat(claimed.nextReady()).isEqualTo(NOON.plus(MINUTE).plus(LEASE));
    }

    @Test
    final void whereNothingBecomesDueByItselfThereIsNoTimeToAskAgain() {
        suspendedOn(Events.VERIFY);
        started(newRun().workflow(OTHER_WORKFLOW).ready(Due.in(HOUR)));
        assertThat(claim(10, serves(WORKFLOW, 1)).nextReady()).isNull();
    }

    @Test
    final void theNextTimeToAskIsLaterThanTheAnswer() {
        RunId later = started(newRun().ready(Due.in(HOUR)));
        started();
        started();
        Claimed one = store.claim(new ClaimRuns(TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 1, lease()));
        assertThat(one.runs()).hasSize(1);
        assertThat(one.nextReady()).isEqualTo(NOON.plus(LEASE));
        due();
        clock.move(LEASE.dividedBy(2));
        Claimed none = store.claim(new ClaimRuns(TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 1, lease()));
        assertThat(none.runs()).isEmpty();
        assertThat(none.nextReady()).isEqualTo(NOON.plus(LEASE));
        assertThat(messageOf(later).readyAt()).isEqualTo(NOON.plus(HOUR));
    }

    @Test
    final void aClaimedRunIsSuspendedOnNothing() {
        RunId run = suspendedOn(Events.VERIFY);
        commit(signal(run, Events.VERIFY));
        claimOnly();
        assertThat(messageOf(run).wakeOn()).isEmpty();
    }
}
