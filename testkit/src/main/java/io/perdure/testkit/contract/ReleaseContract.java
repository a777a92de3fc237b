package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a worker lets go of a run that goes on, so that no wake-up is lost. */
abstract class ReleaseContract extends StoreFixture {
    ReleaseContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void aReleasedRunIsDueWhenTheReleaseSays() {
        Holder holder = startedAndHeld();
        appended(holder.sleeps(1, HOUR));

        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(NOON.plus(HOUR));
        assertThat(messageOf(holder.run()).leased()).isFalse();
        clock.move(HOUR.minus(MOMENT));
        assertThat(due()).isEmpty();
        clock.move(MOMENT);
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void lettingGoAloneAppendsNothing() {
        Holder holder = startedAndHeld();
        Outcome outcome = commit(holder.releases(1, Release.until(Due.atOnce())));
        assertThat(outcome).isEqualTo(new Outcome.Appended(List.of(), RunStatus.RUNNING));
        assertThat(snapshot(holder.run()).last()).isZero();
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void lettingGoAloneNamesTheNumberThatWouldBeNext() {
        Holder holder = startedAndHeld();
        assertThat(commit(holder.releases(2, Release.until(Due.atOnce())))).isEqualTo(new Outcome.Conflict(0));
        assertThat(due()).isEmpty();
    }

    @Test
    final void whoeverLetGoHoldsNothingAnyMore() {
        Holder holder = startedAndHeld();
        appended(holder.releases(1, Release.until(Due.atOnce())));
        leaseLost(holder.appends(1, Events.step("late")));
    }

    @Test
    final void aRunThatIsNeverDueStaysUntilItIsWoken() {
        RunId run = suspendedOn(Events.VERIFY);
        assertThat(messageOf(run).readyAt()).isEqualTo(Due.FAR_FUTURE);
        assertThat(messageOf(run).wakeOn()).containsExactly(Events.VERIFY);
        clock.move(Duration.ofDays(36_500));
        assertThat(due()).isEmpty();
    }

    @Test
    final void aSleepingRunIsDueAtItsDeadlineWhereThatIsEarlier() {
        Holder holder = startedAndHeld(newRun().deadline(Due.in(MINUTE)));
        appended(holder.sleeps(1, HOUR));
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(NOON.plus(MINUTE));
        clock.move(MINUTE);
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void aDeadlineNeverDelaysARelease() {
        Holder holder = startedAndHeld(newRun().deadline(Due.in(HOUR)));
        appended(holder.sleeps(1, MINUTE));
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(NOON.plus(MINUTE));
    }

    @Test
    final void aSuspendIsTurnedBackWhenASignalCameSinceTheWorkerLooked() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.VERIFY));

        assertThat(commit(holder.suspends(1, 0, Events.VERIFY))).isEqualTo(new Outcome.Woken(1));
        assertThat(messageOf(holder.run()).leased()).isTrue();
        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
    }

    @Test
    final void aSignalOfAnyNameTurnsASuspendBack() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.REMIND));
        assertThat(commit(holder.suspends(1, 0, Events.VERIFY))).isEqualTo(new Outcome.Woken(1));
    }

    @Test
    final void aSuspendThatIsTurnedBackAppendsNoneOfItsEvents() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.VERIFY));
        Release release = new Release(Due.in(HOUR), Set.of(Events.VERIFY), 0);
        expect(Outcome.Woken.class, holder.releases(1, release, Events.waits(Events.VERIFY)));
        assertThat(snapshot(holder.run()).last()).isZero();
    }

    @Test
    final void aSuspendThatSawEverySignalIsApplied() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.REMIND));
        commit(signal(holder.run(), Events.REMIND));
        appended(holder.suspends(1, 2, Events.VERIFY));
        assertThat(due()).isEmpty();
    }

    @Test
    final void aTakenSignalStillCountsAsSeen() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.VERIFY));
        appended(holder.appends(1, Events.took(Events.VERIFY, 1)));
        assertThat(commit(holder.suspends(2, 0, Events.VERIFY))).isEqualTo(new Outcome.Woken(1));
        appended(holder.suspends(2, 1, Events.VERIFY));
    }

    @Test
    final void aSleepIsNotTurnedBackBySignals() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.VERIFY));
        appended(holder.sleeps(1, HOUR));
        commit(signal(holder.run(), Events.VERIFY));
        assertThat(due()).isEmpty();
    }

    @Test
    final void theLeaseAndTheNumberAreLookedAtBeforeTheWakes() {
        Holder holder = startedAndHeld();
        commit(signal(holder.run(), Events.VERIFY));
        leaseLost(new Holder(TENANT, holder.run(), ids.token()).suspends(1, 0, Events.VERIFY));
        expect(Outcome.Conflict.class, holder.suspends(5, 0, Events.VERIFY));
    }
}
