package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Due;
import io.perdure.core.store.Outcome.Signalled;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Release;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.testkit.StoreFactory;
import java.util.List;
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
