package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a worker's commits go into a history, and when they do not. */
abstract class AdvanceContract extends StoreFixture {
    AdvanceContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void eventsAreNumberedWithoutGapsAndTimedByTheStore() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a"), Events.step("b")));
        clock.move(MINUTE);
        appended(holder.appends(3, Events.step("c")));

        List<Recorded> history = snapshot(holder.run()).history();
        assertThat(history).extracting(Recorded::seq).containsExactly(0L, 1L, 2L, 3L);
        assertThat(history.subList(1, 4))
                .containsExactly(
                        new Recorded(1, NOON, null, Events.step("a")),
                        new Recorded(2, NOON, null, Events.step("b")),
                        new Recorded(3, NOON.plus(MINUTE), null, Events.step("c")));
    }

    @Test
    final void theAnswerIsWhatWasRecorded() {
        Holder holder = startedAndHeld();
        Outcome outcome = commit(holder.appends(1, Events.slept("nap"), Due.in(HOUR)));
        Recorded recorded = new Recorded(1, NOON, NOON.plus(HOUR), Events.slept("nap"));
        assertThat(outcome).isEqualTo(new Outcome.Appended(List.of(recorded), RunStatus.RUNNING));
        assertThat(snapshot(holder.run()).history().getLast()).isEqualTo(recorded);
    }

    @Test
    final void untilIsFixedOnceAndIsNotMovedByLaterCommits() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.slept("nap"), Due.in(HOUR)));
        clock.move(MINUTE);
        appended(holder.appends(2, Events.step("a")));
        assertThat(snapshot(holder.run()).history().get(1).until()).isEqualTo(NOON.plus(HOUR));
    }

    @Test
    final void theTimesOfRetriesAndWaitsAreFixedByTheStoresClock() {
        Holder holder = startedAndHeld();
        clock.move(MINUTE);
        Event failed = new Event.StepFailed(new StepName("a"), 1, Events.BROKEN, true);
        List<Recorded> recorded = new ArrayList<>();
        recorded.addAll(appended(holder.appends(1, failed, Due.in(MINUTE))));
        recorded.addAll(appended(holder.appends(2, Events.waits(Events.VERIFY), Due.in(HOUR))));
        assertThat(recorded)
                .extracting(Recorded::until)
                .containsExactly(
                        NOON.plus(MINUTE).plus(MINUTE), NOON.plus(MINUTE).plus(HOUR));
        assertThat(snapshot(holder.run()).history().subList(1, 3)).isEqualTo(recorded);
    }

    @Test
    final void whatNeverComesHasNoTime() {
        Holder holder = startedAndHeld();
        Event failed = new Event.StepFailed(new StepName("a"), 1, Events.BROKEN, true);
        assertThat(appended(holder.appends(1, failed, Due.never())).getFirst().until())
                .isNull();
        assertThat(appended(holder.appends(2, Events.waits(Events.VERIFY), Due.never()))
                        .getFirst()
                        .until())
                .isNull();
        assertThat(snapshot(holder.run()).history()).extracting(Recorded::until).containsOnlyNulls();
    }

    @Test
    final void theWorkerKeepsItsLeaseUntilItLetsGo() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a")));
        assertThat(due()).isEmpty();
        assertThat(messageOf(holder.run()).leased()).isTrue();
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(NOON.plus(LEASE));
    }

    @Test
    final void aNumberThatIsTakenIsAConflictThatTellsTheLast() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a"), Events.step("b")));
        assertThat(commit(holder.appends(1, Events.step("other")))).isEqualTo(new Outcome.Conflict(2));
        assertThat(commit(holder.appends(2, Events.step("other")))).isEqualTo(new Outcome.Conflict(2));
        assertThat(snapshot(holder.run()).last()).isEqualTo(2);
    }

    @Test
    final void aNumberWhosePredecessorIsMissingIsAConflict() {
        Holder holder = startedAndHeld();
        assertThat(commit(holder.appends(2, Events.step("a")))).isEqualTo(new Outcome.Conflict(0));
        assertThat(snapshot(holder.run()).last()).isZero();
    }

    @Test
    final void aCommitThatOverlapsAppendsNoneOfItsEvents() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a")));
        assertThat(commit(holder.appends(1, Events.step("a"), Events.step("b"))))
                .isEqualTo(new Outcome.Conflict(1));
        assertThat(snapshot(holder.run()).last()).isEqualTo(1);
    }

    @Test
    final void anotherTokenIsALostLease() {
        Holder holder = startedAndHeld();
        Holder stranger = new Holder(TENANT, holder.run(), ids.token());
        assertThat(commit(stranger.appends(1, Events.step("a")))).isEqualTo(new Outcome.LeaseLost(RunStatus.RUNNING));
        assertThat(snapshot(holder.run()).last()).isZero();
    }

    @Test
    final void aRunThatNobodyClaimedHasNoLeaseToAppendWith() {
        Holder stranger = new Holder(TENANT, started(), ids.token());
        leaseLost(stranger.appends(1, Events.step("a")));
    }

    @Test
    final void theLeaseIsLookedAtBeforeTheNumber() {
        Holder stranger = new Holder(TENANT, startedAndHeld().run(), ids.token());
        leaseLost(stranger.appends(9, Events.step("a")));
    }

    @Test
    final void anExpiredLeaseThatNobodyReclaimedStillPasses() {
        Holder holder = startedAndHeld();
        clock.move(Duration.ofDays(1));
        appended(holder.appends(1, Events.step("a")));
        appended(holder.appends(2, Events.completed("1")));
        assertThat(row(holder.run()).status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    final void anExpiredLeaseStaysExpiredAfterACommit() {
        Holder holder = startedAndHeld();
        clock.move(LEASE);
        appended(holder.appends(1, Events.step("a")));
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void aReclaimedLeaseChangesNothing() {
        Holder before = startedAndHeld();
        clock.move(LEASE);
        Holder after = claimOnly();

        leaseLost(before.appends(1, Events.step("a")));
        leaseLost(before.appends(1, Events.completed("1")));
        assertThat(snapshot(before.run()).last()).isZero();
        appended(after.appends(1, Events.step("a")));
    }

    @Test
    final void aStepAndTheEndThatItCausedAreOneCommit() {
        Holder holder = startedAndHeld();
        Outcome.Appended outcome =
                expect(Outcome.Appended.class, holder.appends(1, Events.step("a"), Events.completed("{\"id\":1}")));
        assertThat(outcome.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(outcome.events()).hasSize(2);
    }

    @Test
    final void aCompletedRunKeepsItsResultAndHasNoMessage() {
        Holder holder = startedAndHeld();
        clock.move(MINUTE);
        appended(holder.appends(1, Events.completed("{\"id\":1}")));

        assertThat(row(holder.run()).status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(row(holder.run()).output()).isEqualTo(Json.of("{\"id\":1}"));
        assertThat(row(holder.run()).error()).isNull();
        assertThat(row(holder.run()).completedAt()).isEqualTo(NOON.plus(MINUTE));
        assertThat(snapshot(holder.run()).message()).isNull();
    }

    @Test
    final void aFailedRunKeepsItsReasonAndHasNoMessage() {
        RunId run = ended(newRun(), Events.failed());
        assertThat(row(run).status()).isEqualTo(RunStatus.FAILED);
        assertThat(row(run).error()).isEqualTo(Events.BROKEN);
        assertThat(row(run).completedAt()).isEqualTo(NOON);
        assertThat(snapshot(run).message()).isNull();
    }

    @Test
    final void aRunThatItsWorkerParkedIsAliveWithoutAMessage() {
        RunId run = ended(newRun(), Events.parked());
        assertThat(row(run).status()).isEqualTo(RunStatus.PARKED);
        assertThat(row(run).completedAt()).isNull();
        assertThat(snapshot(run).message()).isNull();
    }

    @Test
    final void aWorkerThatEndedItsRunHasNoLeaseAnyMore() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.completed("1")));
        assertThat(commit(holder.appends(2, Events.step("late"))))
                .isEqualTo(new Outcome.LeaseLost(RunStatus.COMPLETED));
    }

    @Test
    final void aWorkerLearnsFromItsCommitThatTheRunWasCancelled() {
        Holder holder = startedAndHeld();
        appended(intervene(holder.run(), Events.cancelled()));
        assertThat(commit(holder.appends(1, Events.step("a")))).isEqualTo(new Outcome.LeaseLost(RunStatus.CANCELLED));
    }

    @Test
    final void messagesLeaveWithTheEvents() {
        createQueue();
        Holder holder = startedAndHeld();
        NewMail mail = newMail();
        appended(holder.appendsAndSends(1, Events.step("a"), mail.message()));
        assertThat(received(10)).containsExactly(mail.message().id());
    }

    @Test
    final void messagesOfALostCommitNeverLeave() {
        createQueue();
        Holder holder = startedAndHeld();
        commit(holder.appendsAndSends(2, Events.step("a"), newMail().message()));
        commit(new Holder(TENANT, holder.run(), ids.token())
                .appendsAndSends(1, Events.step("a"), newMail().message()));
        assertThat(received(10)).isEmpty();
    }

    @Test
    final void aMessageToAMissingQueueHoldsTheEventsBack() {
        Holder holder = startedAndHeld();
        refused(
                Refusal.NO_SUCH_QUEUE,
                holder.appendsAndSends(1, Events.step("a"), newMail().message()));
        assertThat(snapshot(holder.run()).last()).isZero();
        appended(holder.appends(1, Events.step("a")));
    }

    @Test
    final void aRunThatIsNotThereIsRefused() {
        Advance advance = new Holder(TENANT, ids.runId(), ids.token()).appends(1, Events.step("a"));
        refused(Refusal.NO_SUCH_RUN, advance);
    }

    @Test
    final void theAnswerSaysWhatBecameOfTheMessages() {
        createQueue();
        NewMessage first = newMail().deduplicationId("d").message();
        NewMessage second = newMail().deduplicationId("d").message();
        Holder holder = startedAndHeld();
        assertThat(expect(Outcome.Appended.class, holder.appendsAndSends(1, Events.step("a"), first))
                        .sent())
                .containsExactly(new SentMessage(first.id(), true));
        assertThat(expect(Outcome.Appended.class, holder.appendsAndSends(2, Events.step("b"), second))
                        .sent())
                .containsExactly(new SentMessage(first.id(), false));
    }
}
