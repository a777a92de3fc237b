package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunQuery;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nothing crosses tenants: a foreign id is as good as none. */
abstract class TenantContract extends StoreFixture {
    TenantContract(StoreFactory factory) {
        super(factory);
    }

    private void createQueues() {
        createQueue();
        expect(Outcome.Changed.class, new Create(OTHER_TENANT, QUEUE, QueueSettings.defaults()));
    }

    @Test
    final void aForeignRunCannotBeRead() {
        RunId run = started(newRun().key("k").deadline(Due.atOnce()));
        assertThat(store.run(OTHER_TENANT, run)).isEmpty();
        assertThat(store.snapshots(OTHER_TENANT, List.of(run))).isEmpty();
        assertThat(store.history(OTHER_TENANT, run, 0, 10)).isEmpty();
        assertThat(store.runs(RunQuery.all(OTHER_TENANT, 10)).runs()).isEmpty();
        assertThat(store.overdue(OTHER_TENANT, Duration.ZERO, 10)).isEmpty();
        assertThat(store.runCounts(OTHER_TENANT)).isEmpty();
        assertThat(store.dueSince(OTHER_TENANT)).isEmpty();
        assertThat(store.runOf(OTHER_TENANT, WORKFLOW, new IdempotencyKey("k"))).isEmpty();
    }

    @Test
    final void aForeignRunCannotBeChanged() {
        Holder holder = startedAndHeld();
        var before = snapshot(holder.run());
        Holder foreign = new Holder(OTHER_TENANT, holder.run(), holder.token());
        refused(Refusal.NO_SUCH_RUN, foreign.appends(1, Events.step("a")));
        refused(Refusal.NO_SUCH_RUN, new Intervene(OTHER_TENANT, holder.run(), Events.cancelled()));
        refused(Refusal.NO_SUCH_RUN, new Signal(OTHER_TENANT, holder.run(), Events.VERIFY, Json.NULL, null));
        assertThat(store.extend(List.of(foreign.extendedBy(HOUR)))).containsExactly(new Extended.Lost(null));
        assertThat(snapshot(holder.run())).isEqualTo(before);
    }

    @Test
    final void aClaimSeesItsOwnTenantOnly() {
        started();
        RunId theirs = started(newRun(OTHER_TENANT));
        var request = new ClaimRuns(OTHER_TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 10, lease());
        assertThat(store.claim(request).runs()).extracting(ClaimedRun::run).containsExactly(theirs);
    }

    @Test
    final void keysAndWorkflowIdsArePerTenant() {
        started(newRun().key("k").input("1"));
        started(newRun(OTHER_TENANT).key("k").input("2"));
        started(newRun().workflowId("w"));
        started(newRun(OTHER_TENANT).workflowId("w"));
    }

    @Test
    final void oneRunIdInTwoTenantsIsTwoRuns() {
        RunId id = ids.runId();
        started(new NewRun(TENANT, id).input("1"));
        started(new NewRun(OTHER_TENANT, id).input("2"));
        appended(intervene(id, Events.cancelled()));
        assertThat(store.snapshots(OTHER_TENANT, List.of(id)).getFirst().last()).isZero();
        assertThat(store.run(OTHER_TENANT, id)
                        .orElseThrow()
                        .definition()
                        .input()
                        .text())
                .isEqualTo("2");
    }

    @Test
    final void aChildDoesNotReachAParentOfAnotherTenant() {
        RunId stranger = started(newRun(OTHER_TENANT));
        ended(newRun().parent(stranger), Events.completed("1"));
        assertThat(store.snapshots(OTHER_TENANT, List.of(stranger)).getFirst().mailbox())
                .isEmpty();
    }

    @Test
    final void queuesArePerTenant() {
        createQueue();
        assertThat(store.queues(OTHER_TENANT)).isEmpty();
        refused(Refusal.NO_SUCH_QUEUE, newMail().send(OTHER_TENANT));
        assertThat(commit(new Create(OTHER_TENANT, QUEUE, QueueSettings.defaults())))
                .isEqualTo(new Outcome.Changed(1));
        commit(new Delete(OTHER_TENANT, QUEUE));
        assertThat(store.queues(TENANT)).hasSize(2);
    }

    @Test
    final void foreignMessagesCannotBeReceivedReadOrCounted() {
        createQueues();
        sent();
        assertThat(store.receive(new Receive(OTHER_TENANT, QUEUE, 10, lease())).deliveries())
                .isEmpty();
        assertThat(store.messages(new MessageQuery(OTHER_TENANT, QUEUE, false, null, 10)))
                .isEmpty();
        assertThat(store.figures(OTHER_TENANT, QUEUE).orElseThrow().in()).isZero();
    }

    @Test
    final void foreignMessagesCannotBeSettledOrRemoved() {
        createQueues();
        MessageId id = sent();
        var delivery = receiveOnly();
        leaseLost(new Settle(OTHER_TENANT, delivery.receipt(), new Verdict.Done()));
        assertThat(store.extend(List.of(new Extend(OTHER_TENANT, delivery.receipt(), HOUR))))
                .containsExactly(new Extended.Lost(null));
        refused(Refusal.NO_SUCH_MESSAGE, new Discard(OTHER_TENANT, QUEUE, id));
        assertThat(commit(new Purge(OTHER_TENANT, QUEUE, 10))).isEqualTo(new Outcome.Changed(0));
        fate(reject(delivery));
        refused(Refusal.NO_SUCH_MESSAGE, new Redrive(OTHER_TENANT, QUEUE.deadLetters(), id));
        assertThat(messages(QUEUE.deadLetters())).hasSize(1);
    }

    @Test
    final void deduplicationIdsMessageIdsAndGroupsArePerTenant() {
        createQueues();
        NewMail mail = newMail().deduplicationId("d").group("g");
        sent(mail);
        receiveOnly();
        Outcome.Sent theirs = expect(Outcome.Sent.class, mail.send(OTHER_TENANT));
        assertThat(theirs.messages().getFirst().created()).isTrue();
        assertThat(store.receive(new Receive(OTHER_TENANT, QUEUE, 10, lease())).deliveries())
                .hasSize(1);
    }
}
