package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ChildNotice;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.testkit.StoreFactory;
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
        Event taken = new Event.ChildEnded(new StepName("child"), child, RunStatus.COMPLETED, 1, Json.of("1"), null);
        appended(parent.appends(1, taken));
        assertThat(snapshot(parent.run()).mailbox()).isEmpty();
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
        Holder parent = startedAndHeld();
        Holder child = startedAndHeld(newRun().parent(parent.run()));
        appended(parent.appends(1, Events.completed("1")));
        appended(child.appends(1, Events.completed("2")));
        assertThat(snapshot(parent.run()).mailbox()).isEmpty();
        assertThat(row(parent.run()).wakes()).isZero();
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
