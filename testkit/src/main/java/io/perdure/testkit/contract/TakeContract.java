package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Served;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Committed;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Signalled;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store.Watch;
import io.perdure.core.store.Taken;
import io.perdure.core.store.Taken.TakenRun;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.testkit.StoreFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/**
 * What is claimed and read in one call, alone or along with a batch. A store may take nothing along: then what the batch made due
 * is there to be claimed. So each of these tests asks for both, and that it is never neither and never twice.
 */
abstract class TakeContract extends StoreFixture {
    TakeContract(StoreFactory factory) {
        super(factory);
    }

    private ClaimRuns request(int max, Lease lease) {
        return request(TENANT, WORKFLOW, 1, max, lease);
    }

    private static ClaimRuns request(TenantId tenant, WorkflowName workflow, int version, int max, Lease lease) {
        return new ClaimRuns(tenant, List.of(new Served(workflow, Set.of(version))), max, lease, Instant.EPOCH);
    }

    private void assertIsAsStored(TakenRun taken) {
        RunSnapshot stored = snapshot(taken.claimed().run());
        assertThat(taken)
                .isEqualTo(new TakenRun(
                        taken.claimed(),
                        stored.run().deadline(),
                        stored.run().wakes(),
                        stored.history(),
                        stored.mailbox()));
        assertThat(messageOf(taken.claimed().run()).leased()).isTrue();
    }

    /** Takes the runs that a batch makes due: along with it, or, where the store does not, by the claim that its hint leads to. */
    private List<TakenRun> takenWith(ClaimRuns along, Commit... commits) {
        Committed committed = store.commit(next(commits), along);
        assertThat(committed.outcomes()).hasSize(commits.length).doesNotHaveAnyElementsOfTypes(Outcome.Refused.class);
        assertThat(committed.taken().unreadable()).isEmpty();
        List<TakenRun> taken = new ArrayList<>(committed.taken().runs());
        assertThat(taken).hasSizeLessThanOrEqualTo(along.max());
        assertThat(taken).allSatisfy(this::assertIsAsStored);
        assertThat(taken)
                .allSatisfy(run -> assertThat(run.claimed().receipt().token())
                        .isEqualTo(along.lease().token()));
        taken.addAll(store.take(request(1_000, lease())).runs());
        assertThat(taken).extracting(run -> run.claimed().run()).doesNotHaveDuplicates();
        return taken;
    }

    private static List<RunId> runs(List<TakenRun> taken) {
        return taken.stream().map(TakenRun::claimed).map(ClaimedRun::run).toList();
    }

    @Test
    final void whatIsTakenIsWhatIsStored() {
        RunId parent = started();
        Holder holder = startedAndHeld(newRun().input("{\"city\": \"Zürich\"}")
                .deadline(Due.in(HOUR))
                .key("k")
                .workflowId("w")
                .parent(parent)
                .tag("a", "b"));
        appended(holder.appends(1, Events.step("step")));
        appended(holder.sleeps(2, MINUTE));
        commit(signal(holder.run(), Events.VERIFY));
        commit(signal(holder.run(), Events.REMIND));
        clock.move(MINUTE);

        Taken taken = store.take(request(10, lease()));

        assertThat(runs(taken.runs())).containsExactlyInAnyOrder(parent, holder.run());
        assertThat(taken.runs()).allSatisfy(this::assertIsAsStored);
        TakenRun slept = taken.runs().stream()
                .filter(run -> run.claimed().run().equals(holder.run()))
                .findFirst()
                .orElseThrow();
        assertThat(slept.history()).hasSize(3);
        assertThat(slept.mailbox()).hasSize(2);
        assertThat(slept.wakes()).isEqualTo(2);
        assertThat(slept.deadline()).isEqualTo(NOON.plus(HOUR));
    }

    @Test
    final void takingTellsWhatAClaimTells() {
        started();
        started(newRun().ready(Due.in(MINUTE)));
        Lease lease = lease();

        Taken taken = store.take(request(10, lease));

        assertThat(taken.nextReady()).isEqualTo(NOON.plus(LEASE));
        assertThat(taken.runs()).hasSize(1).first().satisfies(run -> {
            assertThat(run.claimed().workflow()).isEqualTo(WORKFLOW);
            assertThat(run.claimed().version()).isEqualTo(1);
            assertThat(run.claimed().lapses()).isZero();
            assertThat(run.claimed().leasedUntil()).isEqualTo(NOON.plus(LEASE));
            assertThat(run.claimed().receipt().token()).isEqualTo(lease.token());
        });
        assertThat(store.take(request(10, lease())).runs()).isEmpty();
    }

    @Test
    final void aRunThatIsSignalledIsTakenWithItsSignal() {
        RunId run = suspendedOn(Events.VERIFY);
        Signal signal = new Signal(TENANT, run, Events.VERIFY, Json.of("{\"ok\": true}"), null);

        List<TakenRun> taken = takenWith(request(1, lease()), signal);

        assertThat(runs(taken)).containsExactly(run);
        assertThat(taken.getFirst().mailbox())
                .extracting(RunSnapshot.MailboxEntry::payload)
                .containsExactly(signal.payload());
        assertThat(taken.getFirst().wakes()).isEqualTo(1);
        assertThat(due()).isEmpty();
    }

    @Test
    final void itsHolderGoesOn() {
        RunId run = suspendedOn(Events.VERIFY);
        TakenRun taken =
                takenWith(request(1, lease()), signal(run, Events.VERIFY)).getFirst();

        Holder holder = Holder.of(TENANT, taken.claimed());
        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
        assertThat(snapshot(run).mailbox()).isEmpty();
        appended(holder.appends(2, Events.completed("1")));
    }

    @Test
    final void aLeaseThatWasTakenAlongLapsesAsAnyOther() {
        RunId run = suspendedOn(Events.VERIFY);
        takenWith(request(1, lease()), signal(run, Events.VERIFY));
        clock.move(LEASE);

        assertThat(claim(10)).hasSize(1).first().satisfies(claimed -> {
            assertThat(claimed.run()).isEqualTo(run);
            assertThat(claimed.lapses()).isEqualTo(1);
        });
    }

    @Test
    final void aSignalThatWakesNobodyTakesNobody() {
        RunId waiting = suspendedOn(Events.VERIFY);
        Holder working = startedAndHeld();

        assertThat(takenWith(request(1, lease()), signal(waiting, Events.REMIND)))
                .isEmpty();
        assertThat(takenWith(request(1, lease()), signal(working.run(), Events.REMIND)))
                .isEmpty();
        appended(working.appends(1, Events.completed("1")));
    }

    @Test
    final void aSignalTwiceTakesOnce() {
        RunId run = suspendedOn(Events.VERIFY);
        Signal once = new Signal(TENANT, run, Events.VERIFY, Json.NULL, new DeduplicationId("d"));

        assertThat(runs(takenWith(request(1, lease()), once))).containsExactly(run);
        assertThat(takenWith(request(1, lease()), once)).isEmpty();
        assertThat(commit(once)).isEqualTo(new Signalled(1, false));
    }

    @Test
    final void manyAreTakenTogether() {
        List<RunId> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(suspendedOn(Events.VERIFY));
        }
        Commit[] signals =
                waiting.stream().map(run -> signal(run, Events.VERIFY)).toArray(Commit[]::new);

        assertThat(runs(takenWith(request(5, lease()), signals))).containsExactlyInAnyOrderElementsOf(waiting);
    }

    @Test
    final void noMoreAreTakenThanThereIsRoomFor() {
        List<RunId> waiting =
                List.of(suspendedOn(Events.VERIFY), suspendedOn(Events.VERIFY), suspendedOn(Events.VERIFY));
        Commit[] signals =
                waiting.stream().map(run -> signal(run, Events.VERIFY)).toArray(Commit[]::new);
        BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();
        try (Watch watch = store.watch(heard::add)) {
            assertThat(watch).isNotNull();
            assertThat(runs(takenWith(request(1, lease()), signals))).containsExactlyInAnyOrderElementsOf(waiting);
        }
        // Somebody else is to know of those that were left.
        assertThat(heard).contains(new Hint.Ready(TENANT, QueueName.ofRuns(WORKFLOW, 1)));
    }

    @Test
    final void whatOthersServeIsLeftToThem() {
        RunId run = suspendedOn(Events.VERIFY);
        EventName event = Events.VERIFY;
        Lease lease = lease();

        assertThat(store.commit(next(signal(run, event)), request(OTHER_TENANT, WORKFLOW, 1, 1, lease))
                        .taken()
                        .runs())
                .isEmpty();
        assertThat(due()).containsExactly(run);
        RunId other = suspendedOn(event);
        assertThat(store.commit(next(signal(other, event)), request(TENANT, OTHER_WORKFLOW, 1, 1, lease))
                        .taken()
                        .runs())
                .isEmpty();
        assertThat(due()).containsExactly(other);
        RunId third = suspendedOn(event);
        assertThat(store.commit(next(signal(third, event)), request(TENANT, WORKFLOW, 2, 1, lease))
                        .taken()
                        .runs())
                .isEmpty();
        assertThat(due()).containsExactly(third);
    }

    @Test
    final void aBatchThatIsSentAgainIsAppliedOnceAndTakesNoRunTwice() {
        RunId run = suspendedOn(Events.VERIFY);
        Batch batch = next(signal(run, Events.VERIFY));
        ClaimRuns along = request(1, lease());

        Committed first = store.commit(batch, along);
        Committed again = store.commit(batch, along);

        assertThat(again.outcomes()).isEqualTo(first.outcomes()).containsExactly(new Signalled(1, true));
        assertThat(snapshot(run).mailbox()).hasSize(1);
        // The answer that was lost may have told of the run: then the second tells of the same lease.
        List<TakenRun> taken = new ArrayList<>(again.taken().runs());
        taken.addAll(store.take(request(10, lease())).runs());
        assertThat(taken)
                .allSatisfy(each -> assertThat(each.claimed().run()).isEqualTo(run))
                .hasSizeLessThanOrEqualTo(1);
        assertThat(messageOf(run).leased()).isTrue();
    }

    @Test
    final void otherCommitsTakeWhatIsDueOrNothing() {
        RunId parked = started();
        Holder holder = claimOnly();
        assertThat(holder.run()).isEqualTo(parked);
        appended(holder.appends(1, Events.parked()));

        assertThat(runs(takenWith(request(1, lease()), intervene(parked, Events.resumed()))))
                .containsExactly(parked);
    }
}
