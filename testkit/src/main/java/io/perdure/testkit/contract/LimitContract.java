package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Signalled;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A store holds itself to the limits it was opened with. */
abstract class LimitContract extends StoreFixture {
    private static final int EVENTS = 3;
    private static final int MAILBOX = 2;

    LimitContract(StoreFactory factory) {
        super(factory, small());
    }

    private static Limits small() {
        Limits limits = Limits.defaults();
        return limits.with(limits.runs().holding(EVENTS, MAILBOX));
    }

    private Holder fullHistory() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a"), Events.step("b"), Events.step("c")));
        return holder;
    }

    @Test
    final void aFullHistoryTakesNoMoreSteps() {
        Holder holder = fullHistory();
        refused(Refusal.HISTORY_FULL, holder.appends(4, Events.step("d")));
        assertThat(snapshot(holder.run()).last()).isEqualTo(EVENTS);
    }

    @Test
    final void aCommitThatWouldGoPastTheLimitAppendsNoneOfItsEvents() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a"), Events.step("b")));
        refused(Refusal.HISTORY_FULL, holder.appends(3, Events.step("c"), Events.step("d")));
        assertThat(snapshot(holder.run()).last()).isEqualTo(2);
        appended(holder.appends(3, Events.step("c")));
    }

    @Test
    final void aFullHistoryStillTakesAnEnd() {
        for (Event end : List.of(Events.completed("1"), Events.failed(), Events.parked())) {
            Holder holder = fullHistory();
            appended(holder.appends(4, Events.step("last"), end));
            assertThat(row(holder.run()).status()).isNotEqualTo(RunStatus.RUNNING);
        }
    }

    @Test
    final void aRunWithAFullHistoryCanBeLetGoAndCancelled() {
        Holder holder = fullHistory();
        appended(holder.releases(4, Release.until(Due.atOnce())));
        appended(intervene(holder.run(), Events.cancelled()));
        assertThat(row(holder.run()).status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    final void aRunThatAnInterventionPushedPastTheLimitCanBeLetGo() {
        RunId run = fullHistory().run();
        appended(intervene(run, new Event.WaitTimedOut(new StepName("wait"))));
        Holder holder = claimOnly();
        refused(Refusal.HISTORY_FULL, holder.appends(EVENTS + 2, Events.step("d")));
        appended(holder.releases(EVENTS + 2, Release.until(Due.in(HOUR))));
        assertThat(messageOf(run).readyAt()).isEqualTo(NOON.plus(HOUR));
        assertThat(snapshot(run).last()).isEqualTo(EVENTS + 1);
    }

    @Test
    final void whatDoesNotFitNeverFailsItsNeighbours() {
        Holder full = fullHistory();
        RunId deaf = fullMailbox();
        RunId other = started();
        List<Outcome> outcomes = commitTogether(
                signal(other, Events.VERIFY),
                full.appends(EVENTS + 1, Events.step("d")),
                signal(other, Events.VERIFY),
                signal(deaf, Events.VERIFY),
                intervene(other, Events.cancelled()));
        assertThat(((Outcome.Refused) outcomes.get(1)).why()).isEqualTo(Refusal.HISTORY_FULL);
        assertThat(((Outcome.Refused) outcomes.get(3)).why()).isEqualTo(Refusal.MAILBOX_FULL);
        assertThat(row(other).status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(row(other).wakes()).isEqualTo(2);
    }

    @Test
    final void aCallThatAsksForTooMuchIsRefused() {
        Limits limits = Limits.defaults();
        int rows = limits.calls().pageRows() + 1;
        RunId run = started();
        Holder holder = new Holder(TENANT, run, ids.token());
        outOfBounds(() -> store.openLanes(ids.processId(), 0));
        outOfBounds(() -> store.openLanes(ids.processId(), limits.lanes().perProcess() + 1));
        outOfBounds(() -> store.snapshots(TENANT, Collections.nCopies(rows, run)));
        outOfBounds(() -> store.extend(Collections.nCopies(rows, holder.extendedBy(LEASE))));
        outOfBounds(() -> store.history(TENANT, run, 0, 0));
        outOfBounds(() -> store.history(TENANT, run, 0, rows));
        outOfBounds(() -> store.overdue(TENANT, HOUR, 0));
        outOfBounds(() -> store.overdue(TENANT, HOUR, rows));
        outOfBounds(() -> store.overdue(TENANT, MOMENT.negated(), 1));
        outOfBounds(() -> store.runs(RunQuery.all(TENANT, 0)));
        outOfBounds(() -> store.runs(RunQuery.all(TENANT, rows)));
        for (Sweep what : Sweep.values()) {
            outOfBounds(() -> store.sweep(what, 0));
            outOfBounds(() -> store.sweep(what, limits.calls().sweepRows() + 1));
        }
    }

    private static void outOfBounds(ThrowingCallable call) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.OUT_OF_BOUNDS));
    }

    private RunId fullMailbox() {
        RunId run = started();
        commit(signal(run, Events.VERIFY));
        commit(signal(run, Events.VERIFY));
        return run;
    }

    @Test
    final void aFullMailboxRefusesSignals() {
        RunId run = fullMailbox();
        refused(Refusal.MAILBOX_FULL, signal(run, Events.VERIFY));
        assertThat(row(run).wakes()).isEqualTo(2);
        assertThat(snapshot(run).mailbox()).hasSize(MAILBOX);
    }

    @Test
    final void aMailboxHasRoomAgainWhenASignalWasTaken() {
        RunId run = fullMailbox();
        appended(claimOnly().appends(1, Events.took(Events.VERIFY, 1)));
        assertThat(commit(signal(run, Events.VERIFY))).isEqualTo(new Signalled(3, true));
    }

    @Test
    final void aChildsNoticeFitsIntoAFullMailbox() {
        RunId parent = fullMailbox();
        ended(newRun().parent(parent), Events.completed("1"));
        assertThat(snapshot(parent).mailbox()).hasSize(MAILBOX + 1);
        assertThat(row(parent).wakes()).isEqualTo(3);
    }

    @Test
    final void aRepeatedSignalIsKnownEvenIfTheMailboxIsFull() {
        RunId run = started();
        Signal once = new Signal(TENANT, run, Events.VERIFY, Json.NULL, new DeduplicationId("d"));
        commit(once);
        commit(signal(run, Events.VERIFY));
        assertThat(commit(once)).isEqualTo(new Signalled(1, false));
    }

    @Test
    final void anEndedRunWithAFullMailboxSaysThatItEnded() {
        RunId run = fullMailbox();
        appended(intervene(run, Events.cancelled()));
        refused(Refusal.RUN_ENDED, signal(run, Events.VERIFY));
    }
}
