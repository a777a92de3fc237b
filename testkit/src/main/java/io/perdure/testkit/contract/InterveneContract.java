package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How runs are changed from outside: cancel, park, resume, redrive, deadlines and repairs. */
abstract class InterveneContract extends StoreFixture {
    private static final Event TIMED_OUT = new Event.WaitTimedOut(new StepName("verify"));

    InterveneContract(StoreFactory factory) {
        super(factory);
    }

    private static Intervene intervene(RunId run, Due ready, Event... events) {
        return new Intervene(
                TENANT,
                run,
                OptionalLong.empty(),
                Stream.of(events).map(Draft::new).toList(),
                ready);
    }

    private static Intervene ifLast(RunId run, long last, Event event) {
        return new Intervene(TENANT, run, OptionalLong.of(last), List.of(new Draft(event)), Due.atOnce());
    }

    @Test
    final void aCancelNamesNoNumberAndNeverLosesAgainstABusyRun() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a"), Events.step("b")));
        assertThat(appended(intervene(holder.run(), Events.cancelled()))
                        .getFirst()
                        .seq())
                .isEqualTo(3);
        assertThat(row(holder.run()).status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(row(holder.run()).completedAt()).isEqualTo(NOON);
        assertThat(snapshot(holder.run()).message()).isNull();
    }

    @Test
    final void anInterventionTakesTheLeaseAway() {
        Holder holder = startedAndHeld();
        appended(intervene(holder.run(), TIMED_OUT));
        leaseLost(holder.appends(2, Events.step("a")));
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void theLeaseThatAnInterventionTookIsNoLapse() {
        Holder holder = startedAndHeld();
        clock.move(LEASE);
        claim(1);
        appended(intervene(holder.run(), TIMED_OUT));
        assertThat(claim(1).getFirst().lapses()).isZero();
    }

    @Test
    final void aRunThatGoesOnIsDueWhenTheInterventionSays() {
        RunId run = suspendedOn(Events.VERIFY);
        appended(intervene(run, Due.in(MINUTE), TIMED_OUT));
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON.plus(MINUTE));
        assertThat(due()).isEmpty();
        clock.move(MINUTE);
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void severalEventsAreAppendedTogether() {
        RunId run = ended(newRun(), Events.failed());
        var outcome = expect(Outcome.Appended.class, intervene(run, Due.atOnce(), Events.redriven(), TIMED_OUT));
        assertThat(outcome.events()).extracting(recorded -> recorded.seq()).containsExactly(2L, 3L);
        assertThat(outcome.status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    final void whereOneOfSeveralEventsIsNotAllowedNoneIsAppended() {
        RunId run = started();
        refused(Refusal.NOT_ALLOWED, intervene(run, Due.atOnce(), TIMED_OUT, Events.redriven()));
        assertThat(snapshot(run).last()).isZero();
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON);
    }

    @Test
    final void aParkedRunHasNoMessageAndIgnoresItsDeadline() {
        RunId run = started(newRun().deadline(Due.in(MINUTE)));
        appended(intervene(run, Events.parked()));
        assertThat(row(run).status()).isEqualTo(RunStatus.PARKED);
        assertThat(snapshot(run).message()).isNull();
        clock.move(HOUR);
        assertThat(due()).isEmpty();
    }

    @Test
    final void aResumedRunHasAMessageThatIsDue() {
        RunId run = ended(newRun(), Events.parked());
        appended(intervene(run, Events.resumed()));
        assertThat(row(run).status()).isEqualTo(RunStatus.RUNNING);
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void aResumeCanMoveTheRunToAnotherVersion() {
        RunId run = ended(newRun(), Events.parked());
        appended(intervene(run, new Event.RunResumed("operator", "fixed", 2)));
        assertThat(row(run).version()).isEqualTo(2);
        assertThat(row(run).definition().version()).isEqualTo(1);
        assertThat(messageOf(run).queue()).isEqualTo(QueueName.ofRuns(WORKFLOW, 2));
        assertThat(due()).isEmpty();
    }

    @Test
    final void aParkedRunAllowsOnlyResumeAndCancel() {
        RunId run = ended(newRun(), Events.parked());
        for (Event event :
                List.of(TIMED_OUT, Events.parked(), Events.completed("1"), Events.failed(), Events.redriven())) {
            refused(Refusal.NOT_ALLOWED, intervene(run, event));
        }
        appended(intervene(run, Events.cancelled()));
        assertThat(row(run).status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    final void aRedrivenRunGoesOnFromWhereItFailed() {
        RunId run = ended(newRun(), Events.failed());
        appended(intervene(run, Events.redriven()));
        assertThat(row(run).status()).isEqualTo(RunStatus.RUNNING);
        assertThat(row(run).error()).isNull();
        assertThat(row(run).completedAt()).isNull();
        assertThat(claimOnly().run()).isEqualTo(run);
        assertThat(snapshot(run).last()).isEqualTo(2);
    }

    @Test
    final void onlyAFailedRunIsRedriven() {
        refused(Refusal.NOT_ALLOWED, intervene(started(), Events.redriven()));
        refused(Refusal.NOT_ALLOWED, intervene(ended(newRun(), Events.completed("1")), Events.redriven()));
        refused(Refusal.NOT_ALLOWED, intervene(ended(newRun(), Events.cancelled()), Events.redriven()));
    }

    @Test
    final void anEndIsNeverChanged() {
        for (Event end : List.of(Events.completed("1"), Events.failed(), Events.cancelled())) {
            RunId run = ended(newRun(), end);
            var before = snapshot(run);
            for (Event event : List.of(Events.cancelled(), Events.parked(), Events.resumed(), TIMED_OUT)) {
                refused(Refusal.RUN_ENDED, intervene(run, event));
            }
            assertThat(snapshot(run)).isEqualTo(before);
        }
    }

    @Test
    final void aRedriveIsRefusedWhileAnotherRunHoldsTheWorkflowId() {
        RunId failed = ended(newRun().workflowId("w"), Events.failed());
        RunId holder = started(newRun().workflowId("w"));
        refused(Refusal.WORKFLOW_ID_HELD, intervene(failed, Events.redriven()));
        assertThat(row(failed).status()).isEqualTo(RunStatus.FAILED);

        appended(intervene(holder, Events.parked()));
        refused(Refusal.WORKFLOW_ID_HELD, intervene(failed, Events.redriven()));
        appended(intervene(holder, Events.cancelled()));
        appended(intervene(failed, Events.redriven()));
    }

    @Test
    final void aRedrivenRunHoldsItsWorkflowIdAgain() {
        RunId run = ended(newRun().workflowId("w"), Events.failed());
        appended(intervene(run, Events.redriven()));
        assertThat(commit(newRun().workflowId("w").start()))
                .isEqualTo(new Outcome.Duplicate(run, RunStatus.RUNNING, Outcome.Key.WORKFLOW_ID));
    }

    @Test
    final void anInterventionBasedOnAnOlderHistoryIsAConflict() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a")));
        assertThat(commit(ifLast(holder.run(), 0, Events.cancelled()))).isEqualTo(new Outcome.Conflict(1));
        assertThat(commit(ifLast(holder.run(), 2, Events.cancelled()))).isEqualTo(new Outcome.Conflict(1));
        appended(holder.appends(2, Events.step("b")));
        appended(ifLast(holder.run(), 2, Events.cancelled()));
    }

    @Test
    final void aDeadlineStillCountsAfterAnIntervention() {
        RunId run = started(newRun().deadline(Due.in(MINUTE)));
        appended(intervene(run, Due.in(Duration.ofDays(1)), TIMED_OUT));
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON.plus(MINUTE));
    }

    @Test
    final void anInterventionEndsTheWait() {
        RunId run = suspendedOn(Events.VERIFY);
        appended(intervene(run, Due.in(HOUR), TIMED_OUT));
        commit(signal(run, Events.VERIFY));
        assertThat(due()).isEmpty();
    }

    @Test
    final void aRunThatIsNotThereIsRefused() {
        refused(Refusal.NO_SUCH_RUN, intervene(ids.runId(), Events.cancelled()));
    }

    @Test
    final void resumingARunningRunIsARepairThatNamesTheLastEvent() {
        Holder holder = startedAndHeld();
        refused(Refusal.NOT_ALLOWED, intervene(holder.run(), Events.resumed()));
        appended(holder.appends(1, Events.step("a")));

        expect(Outcome.Conflict.class, repair(holder.run(), 0));
        appended(repair(holder.run(), 1));
        leaseLost(holder.appends(3, Events.step("b")));
        assertThat(due()).containsExactly(holder.run());
    }

    private static Intervene repair(RunId run, long last) {
        return new Intervene(TENANT, run, OptionalLong.of(last), List.of(new Draft(Events.resumed())), Due.atOnce());
    }

    @Test
    final void aRowSaysWhyItsRunIsParkedOrCancelled() {
        RunId run = started();
        appended(intervene(run, Events.parked()));
        assertThat(row(run).error()).isEqualTo(new Failure("mismatch", "recorded a, asked for b", null));
        appended(intervene(run, Events.resumed()));
        assertThat(row(run).error()).isNull();
        appended(intervene(run, Events.cancelled()));
        assertThat(row(run).error()).isEqualTo(new Failure("cancelled by operator", "no longer wanted", null));
    }

    /** A parked run is active: another one under its workflow id would be two. */
    @Test
    final void aRunRedrivenAndParkedAtOnceHoldsItsWorkflowId() {
        RunId run = ended(newRun().workflowId("w"), Events.failed());
        expect(
                Outcome.Appended.class,
                new Intervene(
                        TENANT,
                        run,
                        OptionalLong.empty(),
                        List.of(new Draft(Events.redriven()), new Draft(Events.parked())),
                        Due.atOnce()));
        assertThat(commit(newRun().workflowId("w").start()))
                .isEqualTo(new Outcome.Duplicate(run, RunStatus.PARKED, Outcome.Key.WORKFLOW_ID));
    }
}
