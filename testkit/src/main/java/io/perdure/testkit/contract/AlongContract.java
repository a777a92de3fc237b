package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Committed;
import io.perdure.core.store.Committed.Contents;
import io.perdure.core.store.Committed.WokenRun;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Signalled;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A claim that goes along with a commit. A store may take nothing along: then what the commit made due is there to be claimed. So each
 * of these tests asks for both, and that it is never neither and never twice.
 */
abstract class AlongContract extends StoreFixture {
    AlongContract(StoreFactory factory) {
        super(factory);
    }

    private static ClaimRuns request(Lease lease) {
        return request(TENANT, WORKFLOW, 1, lease);
    }

    private static ClaimRuns request(TenantId tenant, WorkflowName workflow, int version, Lease lease) {
        return new ClaimRuns(tenant, List.of(new Served(workflow, Set.of(version))), 1, lease, Instant.EPOCH);
    }

    private void assertIsAsStored(WokenRun woken, Lease lease) {
        RunSnapshot stored = snapshot(woken.claimed().run());
        RunRow row = stored.run();
        assertThat(stored.message()).isNotNull();
        assertThat(messageOf(row.id()).leased()).isTrue();
        assertThat(woken.claimed().receipt().token()).isEqualTo(lease.token());
        assertThat(woken.claimed().leasedUntil()).isEqualTo(messageOf(row.id()).readyAt());
        if (woken.contents() != null) {
            assertThat(woken.contents())
                    .isEqualTo(new Contents(row.deadline(), row.wakes(), stored.history(), stored.mailbox()));
        }
    }

    /** Sends a commit with a claim; answers the runs that were taken along, or that are due afterwards. */
    private List<ClaimedRun> takenWith(Commit commit) {
        Lease lease = lease();
        Committed committed = store.commit(next(commit), request(lease));
        assertThat(committed.outcomes()).hasSize(1).doesNotHaveAnyElementsOfTypes(Outcome.Refused.class);
        List<ClaimedRun> taken = new ArrayList<>();
        WokenRun woken = committed.woken();
        if (woken != null) {
            assertIsAsStored(woken, lease);
            taken.add(woken.claimed());
        }
        taken.addAll(claim(1_000));
        assertThat(taken).extracting(ClaimedRun::run).doesNotHaveDuplicates();
        return taken;
    }

    private @Nullable WokenRun taken(Commit commit, ClaimRuns along) {
        return store.commit(next(commit), along).woken();
    }

    @Test
    final void aRunThatIsSignalledIsTakenWithAllItHas() {
        RunId parent = started();
        assertThat(due()).containsExactly(parent);
        Holder holder = startedAndHeld(newRun().input("{\"city\": \"Zürich\"}")
                .deadline(Due.in(HOUR))
                .key("k")
                .workflowId("w")
                .parent(parent)
                .tag("a", "b"));
        appended(holder.appends(1, Events.step("one")));
        commit(signal(holder.run(), Events.REMIND));
        appended(holder.suspends(2, 1, Events.VERIFY));
        clock.move(MOMENT);

        List<ClaimedRun> taken =
                takenWith(new Signal(TENANT, holder.run(), Events.VERIFY, Json.of("{\"ok\": true}"), null));

        assertThat(taken).extracting(ClaimedRun::run).containsExactly(holder.run());
        assertThat(taken.getFirst().workflow()).isEqualTo(WORKFLOW);
        assertThat(taken.getFirst().version()).isEqualTo(1);
        assertThat(taken.getFirst().lapses()).isZero();
        assertThat(snapshot(holder.run()).mailbox()).hasSize(2);
        assertThat(due()).isEmpty();
    }

    @Test
    final void itsHolderGoesOn() {
        RunId run = suspendedOn(Events.VERIFY);

        Holder holder = Holder.of(TENANT, takenWith(signal(run, Events.VERIFY)).getFirst());

        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
        assertThat(snapshot(run).mailbox()).isEmpty();
        appended(holder.appends(2, Events.completed("1")));
    }

    @Test
    final void itMayEndAtOnceAndWaitAgain() {
        RunId run = suspendedOn(Events.VERIFY);
        Holder first = Holder.of(TENANT, takenWith(signal(run, Events.VERIFY)).getFirst());
        appended(first.releases(1, new Release(Due.never(), Set.of(Events.REMIND), 1), Events.took(Events.VERIFY, 1)));

        Holder second = Holder.of(TENANT, takenWith(signal(run, Events.REMIND)).getFirst());

        leaseLost(first.appends(2, Events.completed("1")));
        appended(second.appends(2, Events.took(Events.REMIND, 2), Events.completed("1")));
        assertThat(snapshot(run).mailbox()).isEmpty();
    }

    @Test
    final void anEndThatTakesASignalThatIsNotThereIsRefused() {
        RunId run = suspendedOn(Events.VERIFY);
        Holder holder = Holder.of(TENANT, takenWith(signal(run, Events.VERIFY)).getFirst());

        refused(Refusal.NO_SUCH_SIGNAL, holder.appends(1, Events.took(Events.VERIFY, 2), Events.completed("1")));
        refused(Refusal.NO_SUCH_SIGNAL, holder.appends(1, Events.took(Events.REMIND, 1)));
        assertThat(snapshot(run).mailbox()).hasSize(1);
        assertThat(snapshot(run).last()).isZero();
    }

    @Test
    final void aLeaseThatWasTakenAlongLapsesAsAnyOther() {
        RunId run = suspendedOn(Events.VERIFY);
        takenWith(signal(run, Events.VERIFY));
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

        assertThat(takenWith(signal(waiting, Events.REMIND))).isEmpty();
        assertThat(takenWith(signal(working.run(), Events.REMIND))).isEmpty();
        appended(working.appends(1, Events.completed("1")));
    }

    @Test
    final void aRunThatIsDueAlreadyIsLeftToWhoClaimsIt() {
        RunId run = suspendedOn(Events.VERIFY);
        commit(signal(run, Events.VERIFY));

        assertThat(takenWith(signal(run, Events.VERIFY)))
                .extracting(ClaimedRun::run)
                .containsExactly(run);
        assertThat(snapshot(run).mailbox()).hasSize(2);
    }

    @Test
    final void aSignalTwiceTakesOnce() {
        RunId run = suspendedOn(Events.VERIFY);
        Signal once = new Signal(TENANT, run, Events.VERIFY, Json.NULL, new DeduplicationId("d"));

        assertThat(takenWith(once)).extracting(ClaimedRun::run).containsExactly(run);
        assertThat(takenWith(once)).isEmpty();
        assertThat(commit(once)).isEqualTo(new Signalled(1, false));
    }

    @Test
    final void whatOthersServeIsLeftToThem() {
        EventName event = Events.VERIFY;
        RunId run = suspendedOn(event);
        assertThat(taken(signal(run, event), request(OTHER_TENANT, WORKFLOW, 1, lease())))
                .isNull();
        assertThat(due()).containsExactly(run);

        RunId other = suspendedOn(event);
        assertThat(taken(signal(other, event), request(TENANT, OTHER_WORKFLOW, 1, lease())))
                .isNull();
        assertThat(due()).containsExactly(other);

        RunId third = suspendedOn(event);
        assertThat(taken(signal(third, event), request(TENANT, WORKFLOW, 2, lease())))
                .isNull();
        assertThat(due()).containsExactly(third);
    }

    @Test
    final void aSignalToARunThatIsOverOrParkedTakesNobody() {
        RunId over = ended(newRun(), Events.completed("1"));
        Committed refused = store.commit(next(signal(over, Events.VERIFY)), request(lease()));
        assertThat(refused.outcomes()).hasOnlyElementsOfType(Outcome.Refused.class);
        assertThat(refused.woken()).isNull();

        RunId parked = ended(newRun(), Events.parked());
        assertThat(takenWith(signal(parked, Events.VERIFY))).isEmpty();
        assertThat(row(parked).wakes()).isEqualTo(1);
    }

    @Test
    final void aBatchThatIsSentAgainIsAppliedOnceAndItsLeaseIsTheSame() {
        RunId run = suspendedOn(Events.VERIFY);
        Batch batch = next(signal(run, Events.VERIFY));
        Lease lease = lease();

        Committed first = store.commit(batch, request(lease));
        Committed again = store.commit(batch, request(lease));

        assertThat(again.outcomes()).isEqualTo(first.outcomes()).containsExactly(new Signalled(1, true));
        assertThat(snapshot(run).mailbox()).hasSize(1);
        assertThat(again.woken()).isEqualTo(first.woken());
        if (first.woken() == null) {
            assertThat(due()).containsExactly(run);
        } else {
            assertThat(due()).isEmpty();
        }
    }

    @Test
    final void allOfABatchIsAnsweredAsWithoutAClaim() {
        RunId one = suspendedOn(Events.VERIFY);
        RunId other = suspendedOn(Events.VERIFY);

        Committed committed =
                store.commit(next(signal(one, Events.VERIFY), signal(other, Events.VERIFY)), request(lease()));

        assertThat(committed.outcomes()).containsExactly(new Signalled(1, true), new Signalled(1, true));
        List<RunId> found = new ArrayList<>(due());
        WokenRun woken = committed.woken();
        if (woken != null) {
            found.add(woken.claimed().run());
        }
        assertThat(found).containsExactlyInAnyOrder(one, other);
    }
}
