package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.testkit.StoreFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What idempotency keys and workflow ids promise. */
abstract class KeyContract extends StoreFixture {
    KeyContract(StoreFactory factory) {
        super(factory);
    }

    private void duplicateOf(RunId winner, RunStatus status, Outcome.Key key, NewRun run) {
        assertThat(commit(run.start())).isEqualTo(new Outcome.Duplicate(winner, status, key));
    }

    @Test
    final void aBoundKeyAnswersWithItsRunAndStartsNone() {
        RunId first = started(newRun().key("k"));
        Commit second = newRun().key("k").start();
        assertThat(commit(second))
                .isEqualTo(new Outcome.Duplicate(first, RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY));
        assertThat(due()).containsExactly(first);
    }

    @Test
    final void aBoundKeyAnswersWithItsRunAfterTheRunEnded() {
        RunId first = ended(newRun().key("k"), Events.completed("1"));
        duplicateOf(first, RunStatus.COMPLETED, Outcome.Key.IDEMPOTENCY_KEY, newRun().key("k"));
    }

    @Test
    final void theSameKeyWithOtherInputIsRefused() {
        started(newRun().key("k").input("{\"user\":1}"));
        refused(Refusal.KEY_REUSED, newRun().key("k").input("{\"user\":2}").start());
        assertThat(due()).hasSize(1);
    }

    @Test
    final void theSameKeyWithOtherInputIsRefusedAfterTheRunEnded() {
        ended(newRun().key("k").input("1"), Events.failed());
        refused(Refusal.KEY_REUSED, newRun().key("k").input("2").start());
    }

    @Test
    final void inputsThatMeanTheSameShareAKey() {
        RunId first = started(newRun().key("k").input("{\"a\":1.0,\"b\":\"x\"}"));
        duplicateOf(
                first,
                RunStatus.RUNNING,
                Outcome.Key.IDEMPOTENCY_KEY,
                newRun().key("k").input("{ \"b\" : \"\\u0078\", \"a\" : 1 }"));
    }

    @Test
    final void keysArePerWorkflow() {
        started(newRun().key("k"));
        started(newRun().workflow(OTHER_WORKFLOW).key("k"));
    }

    @Test
    final void keysDifferByEveryCharacter() {
        started(newRun().key("key"));
        started(newRun().key("Key"));
        started(newRun().key("key "));
        started(newRun().key("ké"));
        started(newRun().key("ke\u0301"));
    }

    @Test
    final void theKeyLeadsToItsRun() {
        RunId run = started(newRun().key("k"));
        assertThat(store.runOf(TENANT, WORKFLOW, new IdempotencyKey("k"))).contains(run);
        assertThat(store.runOf(TENANT, OTHER_WORKFLOW, new IdempotencyKey("k"))).isEmpty();
        assertThat(store.runOf(TENANT, WORKFLOW, new IdempotencyKey("other"))).isEmpty();
    }

    @Test
    final void anActiveWorkflowIdAnswersWithItsRun() {
        RunId first = started(newRun().workflowId("w"));
        duplicateOf(
                first,
                RunStatus.RUNNING,
                Outcome.Key.WORKFLOW_ID,
                newRun().workflowId("w").input("7"));
        assertThat(due()).containsExactly(first);
    }

    @Test
    final void aParkedRunHoldsItsWorkflowId() {
        RunId first = ended(newRun().workflowId("w"), Events.parked());
        duplicateOf(first, RunStatus.PARKED, Outcome.Key.WORKFLOW_ID, newRun().workflowId("w"));
    }

    @Test
    final void anEndedRunGivesUpItsWorkflowId() {
        for (Event end : List.of(Events.completed("1"), Events.failed(), Events.cancelled())) {
            RunId first = ended(newRun().workflowId("w"), end);
            RunId second = started(newRun().workflowId("w"));
            assertThat(second).isNotEqualTo(first);
            appended(intervene(second, Events.cancelled()));
        }
    }

    @Test
    final void workflowIdsArePerWorkflow() {
        started(newRun().workflowId("w"));
        started(newRun().workflow(OTHER_WORKFLOW).workflowId("w"));
    }

    @Test
    final void aKeyAndAWorkflowIdOfTheSameTextAreTwoThings() {
        started(newRun().key("same"));
        started(newRun().workflowId("same"));
    }

    @Test
    final void theKeyBindsEvenWhenAnActiveRunIsAnswered() {
        RunId active = started(newRun().workflowId("w").input("1"));
        duplicateOf(
                active,
                RunStatus.RUNNING,
                Outcome.Key.WORKFLOW_ID,
                newRun().workflowId("w").key("k").input("2"));
        assertThat(store.runOf(TENANT, WORKFLOW, new IdempotencyKey("k"))).contains(active);

        appended(intervene(active, Events.cancelled()));
        duplicateOf(
                active,
                RunStatus.CANCELLED,
                Outcome.Key.IDEMPOTENCY_KEY,
                newRun().workflowId("w").key("k").input("2"));
    }

    @Test
    final void theKeyThatBoundToAnActiveRunHoldsTheInputThatCameWithIt() {
        RunId active = started(newRun().workflowId("w").input("1"));
        duplicateOf(
                active,
                RunStatus.RUNNING,
                Outcome.Key.WORKFLOW_ID,
                newRun().workflowId("w").key("k").input("2"));
        refused(Refusal.KEY_REUSED, newRun().key("k").input("1").start());
        duplicateOf(
                active,
                RunStatus.RUNNING,
                Outcome.Key.IDEMPOTENCY_KEY,
                newRun().key("k").input("2"));
    }

    @Test
    final void theKeyIsLookedAtBeforeTheWorkflowId() {
        RunId byKey = started(newRun().key("k").input("1"));
        started(newRun().workflowId("w").input("1"));
        duplicateOf(
                byKey,
                RunStatus.RUNNING,
                Outcome.Key.IDEMPOTENCY_KEY,
                newRun().key("k").workflowId("w").input("1"));
        refused(Refusal.KEY_REUSED, newRun().key("k").workflowId("w").input("2").start());
    }

    @Test
    final void aStartThatIsRefusedHoldsNoWorkflowId() {
        started(newRun().key("k").input("1"));
        refused(Refusal.KEY_REUSED, newRun().key("k").workflowId("w").input("2").start());
        started(newRun().workflowId("w"));
    }

    @Test
    final void aStartThatIsADuplicateHoldsNoWorkflowId() {
        RunId first = started(newRun().key("k"));
        duplicateOf(
                first,
                RunStatus.RUNNING,
                Outcome.Key.IDEMPOTENCY_KEY,
                newRun().key("k").workflowId("w"));
        started(newRun().workflowId("w"));
    }

    @Test
    final void startsInOneBatch_ifTheFirstIsADuplicate_leaveItsWorkflowIdToTheNext() {
        RunId first = started(newRun().key("k"));
        Start next = newRun().key("l").workflowId("w").start();
        assertThat(commitTogether(newRun().key("k").workflowId("w").start(), next))
                .first()
                .isEqualTo(new Outcome.Duplicate(first, RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY));
        assertThat(row(next.run()).workflowId()).isEqualTo(new WorkflowId("w"));
        duplicateOf(next.run(), RunStatus.RUNNING, Outcome.Key.WORKFLOW_ID, newRun().workflowId("w"));
    }

    @Test
    final void sameStartTwiceInOneBatch_isADuplicateOfItself() {
        Start start = newRun().key("k").workflowId("w").start();
        assertThat(commitTogether(start, start, newRun().key("l").start()).get(1))
                .isEqualTo(new Outcome.Duplicate(start.run(), RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY));
        duplicateOf(start.run(), RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY, newRun().key("k"));
    }

    @Test
    final void startUnderAnIdInUse_inABatchWithOthers_leavesItsKeysFree() {
        RunId run = started();
        Start again = new NewRun(TENANT, run).key("k").workflowId("w").start();
        assertThat(commitTogether(again, newRun().key("l").start())).first().isEqualTo(new Outcome.Conflict(0));
        started(newRun().key("k").workflowId("w"));
    }

    @Test
    final void redriveBeforeAStartInOneBatch_keepsTheWorkflowId() {
        RunId failed = ended(newRun().workflowId("w"), Events.failed());
        List<Outcome> outcomes = commitTogether(
                intervene(failed, Events.redriven()),
                newRun().workflowId("w").start(),
                newRun().key("k").start());
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Appended.class);
        assertThat(outcomes.get(1))
                .isEqualTo(new Outcome.Duplicate(failed, RunStatus.RUNNING, Outcome.Key.WORKFLOW_ID));
    }

    @Test
    final void startBeforeARedriveInOneBatch_keepsTheWorkflowId() {
        RunId failed = ended(newRun().workflowId("w"), Events.failed());
        List<Outcome> outcomes = commitTogether(
                newRun().workflowId("w").start(),
                intervene(failed, Events.redriven()),
                newRun().key("k").start());
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Started.class);
        assertThat(((Outcome.Refused) outcomes.get(1)).why()).isEqualTo(Refusal.WORKFLOW_ID_HELD);
    }

    @Test
    final void sendThatIsRefused_inABatchWithOthers_leavesItsDeduplicationIdFree() {
        assertThat(commitTogether(
                        newMail().deduplicationId("d").send(TENANT),
                        newMail().deduplicationId("e").send(TENANT)))
                .hasOnlyElementsOfType(Outcome.Refused.class);
        createQueue();
        MessageId first = sent(newMail().deduplicationId("d"));
        assertThat(sent(newMail().deduplicationId("d"))).isEqualTo(first);
        assertThat(received(10)).containsExactly(first);
    }
}
