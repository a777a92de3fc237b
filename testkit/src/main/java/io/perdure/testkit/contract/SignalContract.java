package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Signalled;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a mailbox promises to those who signal and to the run. */
abstract class SignalContract extends StoreFixture {
    SignalContract(StoreFactory factory) {
        super(factory);
    }

    private static Signal signal(RunId run, String payload) {
        return new Signal(TENANT, run, Events.VERIFY, Json.of(payload), null);
    }

    private static Signal once(RunId run, String deduplicationId) {
        return new Signal(TENANT, run, Events.VERIFY, Json.NULL, new DeduplicationId(deduplicationId));
    }

    @Test
    final void signalsLieInTheMailboxInTheOrderTheyCame() {
        RunId run = started();
        assertThat(commit(signal(run, "1"))).isEqualTo(new Signalled(1, true));
        clock.move(MINUTE);
        assertThat(commit(signal(run, "2"))).isEqualTo(new Signalled(2, true));

        assertThat(snapshot(run).mailbox())
                .containsExactly(
                        new MailboxEntry(1, Events.VERIFY, Json.of("1"), NOON),
                        new MailboxEntry(2, Events.VERIFY, Json.of("2"), NOON.plus(MINUTE)));
        assertThat(row(run).wakes()).isEqualTo(2);
    }

    @Test
    final void aSignalNeverGoesStraightIntoTheHistory() {
        RunId run = suspendedOn(Events.VERIFY);
        commit(signal(run, "1"));
        assertThat(snapshot(run).last()).isZero();
    }

    @Test
    final void aSignalMakesTheRunDueThatIsSuspendedOnIt() {
        RunId run = suspendedOn(Events.VERIFY);
        clock.move(MINUTE);
        commit(signal(run, Events.VERIFY));
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON.plus(MINUTE));
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void aSignalLeavesARunThatIsDueInItsPlace() {
        Holder holder = startedAndHeld();
        appended(holder.releases(1, new Release(Due.in(MINUTE), Set.of(Events.VERIFY), 0)));
        clock.move(HOUR);
        commit(signal(holder.run(), Events.VERIFY));
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(NOON.plus(MINUTE));
    }

    @Test
    final void aSignalOfAnotherNameIsKeptAndWakesNobody() {
        RunId run = suspendedOn(Events.VERIFY);
        commit(signal(run, Events.REMIND));
        assertThat(due()).isEmpty();
        assertThat(snapshot(run).mailbox()).hasSize(1);
    }

    @Test
    final void anyOfTheEventsWaitedForWakesTheRun() {
        Holder holder = startedAndHeld();
        appended(holder.suspends(1, 0, Events.VERIFY, Events.REMIND));
        commit(signal(holder.run(), Events.REMIND));
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void aSignalLeavesTheLeaseOfAWorkerAlone() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.VERIFY));
        assertThat(due()).isEmpty();
        appended(holder.appends(1, Events.step("a")));
    }

    @Test
    final void aSignalThatCameBeforeTheWaitIsKept() {
        RunId run = started();
        commit(signal(run, "1"));
        Holder holder = claimOnly();
        assertThat(snapshot(run).mailbox()).hasSize(1);
        appended(holder.appends(1, Events.waits(Events.VERIFY), Events.took(Events.VERIFY, 1)));
    }

    @Test
    final void aSignalThatIsTakenLeavesTheMailbox() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), "1"));
        commit(signal(holder.run(), "2"));
        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
        assertThat(snapshot(holder.run()).mailbox())
                .extracting(MailboxEntry::number)
                .containsExactly(2L);
        assertThat(row(holder.run()).wakes()).isEqualTo(2);
    }

    @Test
    final void numbersAreNotUsedAgainAfterASignalWasTaken() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), "1"));
        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
        assertThat(commit(signal(holder.run(), "2"))).isEqualTo(new Signalled(2, true));
    }

    @Test
    final void signalsMayBeTakenInAnyOrder() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), "1"));
        commit(signal(holder.run(), "2"));
        appended(holder.appends(1, Events.took(Events.VERIFY, 2), Events.took(Events.VERIFY, 1)));
        assertThat(snapshot(holder.run()).mailbox()).isEmpty();
    }

    @Test
    final void aSignalIsTakenOnce() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), "1"));
        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
        refused(Refusal.NO_SUCH_SIGNAL, holder.appends(2, Events.took(Events.VERIFY, 1)));
    }

    @Test
    final void oneCommitCannotTakeASignalTwice() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), "1"));
        Event took = Events.took(Events.VERIFY, 1);
        refused(Refusal.NO_SUCH_SIGNAL, holder.appends(1, took, Events.step("a"), took));
        assertThat(snapshot(holder.run()).last()).isZero();
        assertThat(snapshot(holder.run()).mailbox()).hasSize(1);
    }

    @Test
    final void aSignalThatNeverCameCannotBeTaken() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), "1"));
        refused(Refusal.NO_SUCH_SIGNAL, holder.appends(1, Events.step("a"), Events.took(Events.VERIFY, 2)));
        assertThat(snapshot(holder.run()).last()).isZero();
        assertThat(snapshot(holder.run()).mailbox()).hasSize(1);
    }

    @Test
    final void aCommitThatLosesLeavesTheSignalInTheMailbox() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), "1"));
        expect(Outcome.Conflict.class, holder.appends(7, Events.took(Events.VERIFY, 1)));
        assertThat(snapshot(holder.run()).mailbox()).hasSize(1);
    }

    @Test
    final void aRunThatHasEndedRefusesSignals() {
        for (Event end : List.of(Events.completed("1"), Events.failed(), Events.cancelled())) {
            RunId run = ended(newRun(), end);
            refused(Refusal.RUN_ENDED, signal(run, "1"));
            assertThat(row(run).wakes()).isZero();
        }
    }

    @Test
    final void aParkedRunTakesSignalsAndFindsThemWhenItGoesOn() {
        RunId run = ended(newRun(), Events.parked());
        assertThat(commit(signal(run, "1"))).isEqualTo(new Signalled(1, true));
        assertThat(due()).isEmpty();

        appended(intervene(run, Events.resumed()));
        Holder holder = claimOnly();
        appended(holder.appends(3, Events.took(Events.VERIFY, 1)));
    }

    @Test
    final void aRepeatedSignalAnswersAsTheFirstDidAndDoesNothing() {
        RunId run = started();
        commit(signal(run, "0"));
        assertThat(commit(once(run, "d"))).isEqualTo(new Signalled(2, true));
        assertThat(commit(once(run, "d"))).isEqualTo(new Signalled(2, false));
        assertThat(row(run).wakes()).isEqualTo(2);
        assertThat(snapshot(run).mailbox()).hasSize(2);
    }

    @Test
    final void aRepeatedSignalIsKnownAfterItWasTakenAndAfterTheEnd() {
        Holder holder = startedAndHeld();
        commit(once(holder.run(), "d"));
        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
        assertThat(commit(once(holder.run(), "d"))).isEqualTo(new Signalled(1, false));

        appended(holder.appends(2, Events.completed("1")));
        assertThat(commit(once(holder.run(), "d"))).isEqualTo(new Signalled(1, false));
    }

    @Test
    final void deduplicationIdsOfSignalsArePerRun() {
        RunId first = started();
        RunId second = started();
        assertThat(commit(once(first, "d"))).isEqualTo(new Signalled(1, true));
        assertThat(commit(once(second, "d"))).isEqualTo(new Signalled(1, true));
    }

    @Test
    final void aSignalThatWasRefusedLeavesItsDeduplicationIdFree() {
        RunId run = ended(newRun(), Events.failed());
        refused(Refusal.RUN_ENDED, once(run, "d"));
        appended(intervene(run, Events.redriven()));
        assertThat(commit(once(run, "d"))).isEqualTo(new Signalled(1, true));
    }

    @Test
    final void aRunThatIsNotThereTakesNoSignals() {
        refused(Refusal.NO_SUCH_RUN, signal(ids.runId(), "1"));
    }

    @Test
    final void aSignalIsTakenUnderItsOwnName() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.VERIFY));
        refused(Refusal.NO_SUCH_SIGNAL, holder.appends(1, Events.took(new EventName("other"), 1)));
        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
    }
}
