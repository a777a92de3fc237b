package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ChildNotice;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.testkit.StoreFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a parent learns that its child ended: by a signal, in the commit that ends the child. */
abstract class ChildContract extends StoreFixture {
    ChildContract(StoreFactory factory) {
        super(factory);
    }

    private static MailboxEntry notice(long number, ChildNotice notice) {
        return new MailboxEntry(number, notice.event(), notice.payload(), NOON);
    }

    @Test
    final void aChildThatCompletedTellsItsParentTheResult() {
        RunId parent = started();
        RunId child = ended(newRun().parent(parent), Events.completed("{\"sum\":7}"));
        ChildNotice expected = new ChildNotice(child, RunStatus.COMPLETED, Json.of("{\"sum\":7}"), null);
        assertThat(snapshot(parent).mailbox()).containsExactly(notice(1, expected));
        assertThat(row(parent).wakes()).isEqualTo(1);
    }

    @Test
    final void aChildThatFailedOrWasCancelledTellsItsParentToo() {
        RunId parent = started();
        RunId failed = ended(newRun().parent(parent), Events.failed());
        RunId cancelled = started(newRun().parent(parent));
        appended(intervene(cancelled, Events.cancelled()));
        assertThat(snapshot(parent).mailbox())
                .containsExactly(
                        notice(
                                1,
                                new ChildNotice(
                                        failed,
                                        RunStatus.FAILED,
                                        null,
                                        row(failed).error())),
                        notice(
                                2,
                                new ChildNotice(
                                        cancelled,
                                        RunStatus.CANCELLED,
                                        null,
                                        row(cancelled).error())));
    }

    @Test
    final void aChildThatEndsWakesTheParentThatWaitsForIt() {
        Holder parent = startedAndHeld();
        Holder child = startedAndHeld(newRun().parent(parent.run()));
        appended(parent.suspends(1, 0, EventName.childEnded(child.run())));
        assertThat(due()).isEmpty();

        appended(child.appends(1, Events.completed("1")));
        assertThat(due()).containsExactly(parent.run());
    }

    @Test
    final void aChildThatEndsLeavesTheParentAsleepThatWaitsForAnother() {
        Holder parent = startedAndHeld();
        appended(parent.suspends(1, 0, EventName.childEnded(ids.runId())));
        ended(newRun().parent(parent.run()), Events.completed("1"));
        assertThat(due()).isEmpty();
    }

    @Test
    final void aParentThatDidNotSeeItsChildEndIsTurnedBack() {
        Holder parent = startedAndHeld();
        RunId child = ended(newRun().parent(parent.run()), Events.completed("1"));
        assertThat(commit(parent.suspends(1, 0, EventName.childEnded(child)))).isEqualTo(new Outcome.Woken(1));
    }

    @Test
    final void theParentTakesTheNoticeIntoItsHistory() {
        Holder parent = startedAndHeld();
        RunId child = ended(newRun().parent(parent.run()), Events.completed("1"));
        appended(parent.appends(1, tookEndOf(child, 1)));
        assertThat(snapshot(parent.run()).mailbox()).isEmpty();
    }

    private static Event tookEndOf(RunId child, long signal) {
        return new Event.ChildEnded(
                new StepName("child-" + signal), child, RunStatus.COMPLETED, signal, Json.of("1"), null);
    }

    @Test
    final void aNoticeIsTakenByTheChildItNames() {
        Holder parent = startedAndHeld();
        RunId first = ended(newRun().parent(parent.run()), Events.completed("1"));
        RunId second = ended(newRun().parent(parent.run()), Events.completed("1"));
        commit(signal(parent.run(), Events.VERIFY));

        refused(Refusal.NO_SUCH_SIGNAL, parent.appends(1, tookEndOf(second, 1)));
        refused(Refusal.NO_SUCH_SIGNAL, parent.appends(1, tookEndOf(ids.runId(), 2)));
        refused(Refusal.NO_SUCH_SIGNAL, parent.appends(1, tookEndOf(first, 3)));
        refused(Refusal.NO_SUCH_SIGNAL, parent.appends(1, Events.took(Events.VERIFY, 1)));
        assertThat(snapshot(parent.run()).mailbox()).hasSize(3);

        appended(parent.appends(1, tookEndOf(second, 2), tookEndOf(first, 1)));
        assertThat(snapshot(parent.run()).mailbox())
                .extracting(MailboxEntry::number)
                .containsExactly(3L);
    }

    @Test
    final void aParkedChildHasNotEnded() {
        RunId parent = started();
        ended(newRun().parent(parent), Events.parked());
        assertThat(snapshot(parent).mailbox()).isEmpty();
    }

    @Test
    final void aParkedParentIsToldButStaysParked() {
        Holder parent = startedAndHeld();
        Holder child = startedAndHeld(newRun().parent(parent.run()));
        appended(parent.appends(1, Events.parked()));
        appended(child.appends(1, Events.completed("1")));
        assertThat(snapshot(parent.run()).mailbox()).hasSize(1);
        assertThat(row(parent.run()).status()).isEqualTo(RunStatus.PARKED);
        assertThat(due()).isEmpty();
    }

    @Test
    final void aParentThatHasEndedIsNotTold() {
        for (Event end : List.of(Events.completed("1"), Events.cancelled())) {
            Holder parent = startedAndHeld();
            Holder child = startedAndHeld(newRun().parent(parent.run()));
            appended(parent.appends(1, end));
            appended(child.appends(1, Events.completed("2")));
            assertThat(snapshot(parent.run()).mailbox()).isEmpty();
            assertThat(row(parent.run()).wakes()).isZero();
        }
    }

    @Test
    final void aParentThatFailedFindsTheNoticeWhenItIsRedriven() {
        Holder parent = startedAndHeld();
        Holder child = startedAndHeld(newRun().parent(parent.run()));
        appended(parent.appends(1, Events.failed()));
        appended(child.appends(1, Events.completed("1")));
        assertThat(row(parent.run()).status()).isEqualTo(RunStatus.FAILED);
        assertThat(due()).isEmpty();

        appended(intervene(parent.run(), Events.redriven()));
        ChildNotice notice = new ChildNotice(child.run(), RunStatus.COMPLETED, Json.of("1"), null);
        assertThat(snapshot(parent.run()).mailbox()).containsExactly(notice(1, notice));
        appended(claimOnly().appends(3, tookEndOf(child.run(), 1)));
        assertThat(snapshot(parent.run()).mailbox()).isEmpty();
    }

    @Test
    final void aRedrivenChildTellsItsParentAgainWhenItEnds() {
        RunId parent = started();
        RunId child = ended(newRun().parent(parent), Events.failed());
        Failure failure = row(child).error();
        appended(intervene(child, Events.redriven()));
        appended(intervene(child, Events.cancelled()));
        assertThat(snapshot(parent).mailbox())
                .containsExactly(
                        notice(1, new ChildNotice(child, RunStatus.FAILED, null, failure)),
                        notice(
                                2,
                                new ChildNotice(
                                        child,
                                        RunStatus.CANCELLED,
                                        null,
                                        row(child).error())));
    }

    @Test
    final void aChildEndsEvenWhereItsParentIsGone() {
        RunId child = ended(newRun().parent(ids.runId()), Events.completed("1"));
        assertThat(row(child).status()).isEqualTo(RunStatus.COMPLETED);
    }
}
