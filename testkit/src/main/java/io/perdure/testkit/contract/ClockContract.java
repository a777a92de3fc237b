package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The store's own clock decides, in whole microseconds, and nothing is ever early. */
abstract class ClockContract extends StoreFixture {
    private static final Duration NANO = Duration.ofNanos(1);

    ClockContract(StoreFactory factory) {
        super(factory);
    }

    /** A time that a store may fix for something due after so long: whole microseconds, and not early. */
    private static void fixed(Instant time, Duration after) {
        assertThat(time).isEqualTo(time.truncatedTo(ChronoUnit.MICROS));
        assertThat(time).isBetween(NOON.plus(after), NOON.plus(after).plus(MOMENT));
    }

    @Test
    final void theStoreTellsTheTimeOfItsClock() {
        assertThat(store.now()).isEqualTo(NOON);
        clock.move(HOUR);
        assertThat(store.now()).isEqualTo(NOON.plus(HOUR));
        clock.move(HOUR.multipliedBy(2).negated());
        assertThat(store.now()).isEqualTo(NOON.minus(HOUR));
    }

    @Test
    final void theStoreTellsTheTimeInMicroseconds() {
        clock.move(Duration.ofNanos(1_999));
        assertThat(store.now()).isEqualTo(NOON.plus(MOMENT));
    }

    @Test
    final void whatIsRecordedBearsWholeMicroseconds() {
        clock.move(Duration.ofNanos(1_999));
        Holder holder = startedAndHeld();
        assertThat(row(holder.run()).startedAt()).isEqualTo(NOON.plus(MOMENT));
        assertThat(appended(holder.appends(1, Events.step("a"))).getFirst().at())
                .isEqualTo(NOON.plus(MOMENT));
    }

    @Test
    final void timersAreRoundedUpToAMicrosecond() {
        Holder holder = startedAndHeld();
        var recorded = appended(holder.appends(1, Events.slept("nap"), Due.in(MINUTE.plus(NANO))));
        assertThat(recorded.getFirst().until()).isEqualTo(NOON.plus(MINUTE).plus(MOMENT));
        appended(holder.releases(2, Release.until(Due.at(NOON.plus(MINUTE).plus(NANO)))));
        assertThat(messageOf(holder.run()).readyAt())
                .isEqualTo(NOON.plus(MINUTE).plus(MOMENT));
    }

    @Test
    final void aLeaseEndsOnAWholeMicrosecond() {
        started();
        var claimed = claim(1, new Lease(ids.token(), MINUTE.plus(NANO))).getFirst();
        fixed(claimed.leasedUntil(), MINUTE);
        assertThat(messageOf(claimed.run()).readyAt()).isEqualTo(claimed.leasedUntil());
    }

    @Test
    final void anExtensionEndsOnAWholeMicrosecond() {
        Holder holder = startedAndHeld();
        var answer = store.extend(List.of(holder.extendedBy(MINUTE.plus(NANO)))).getFirst();
        fixed(((Extended.Until) answer).time(), MINUTE);
    }

    @Test
    final void aDelayedMessageIsReadyOnAWholeMicrosecond() {
        createQueue();
        MessageId id = sent(newMail().delay(MINUTE.plus(NANO)));
        fixed(message(QUEUE, id).readyAt(), MINUTE);
    }

    @Test
    final void aRetriedMessageIsReadyOnAWholeMicrosecond() {
        createQueue();
        MessageId id = sent();
        fate(retry(receiveOnly(), MINUTE.plus(NANO)));
        fixed(message(QUEUE, id).readyAt(), MINUTE);
    }

    @Test
    final void aReceivedMessageIsLeasedUntilAWholeMicrosecond() {
        createQueue();
        sent();
        var received = store.receive(new Receive(TENANT, QUEUE, 1, new Lease(ids.token(), MINUTE.plus(NANO))));
        var delivery = received.deliveries().getFirst();
        fixed(delivery.message().readyAt(), MINUTE);
        store.extend(List.of(new Extend(TENANT, delivery.receipt(), HOUR.plus(NANO))));
        fixed(message(QUEUE, delivery.message().id()).readyAt(), HOUR);
    }

    @Test
    final void whatIsDueInMoreThanAllTimeIsNeverDue() {
        Due far = Due.in(Duration.ofSeconds(Long.MAX_VALUE));
        RunId run = started(newRun().ready(far).deadline(far));
        assertThat(messageOf(run).readyAt()).isEqualTo(Due.FAR_FUTURE);
        clock.move(Duration.ofDays(36_500));
        assertThat(due()).isEmpty();
    }

    @Test
    final void whatWasDueInThePastIsDueNow() {
        RunId run = started(newRun().ready(Due.at(NOON.minus(Duration.ofDays(400)))));
        assertThat(due()).containsExactly(run);
    }

    @Test
    final void aTimerIsNotEarlyBecauseTheClockWentBack() {
        Holder holder = startedAndHeld();
        appended(holder.sleeps(1, HOUR));
        clock.move(HOUR.negated());
        assertThat(due()).isEmpty();
        clock.move(HOUR.multipliedBy(2).minus(MOMENT));
        assertThat(due()).isEmpty();
        clock.move(MOMENT);
        assertThat(due()).containsExactly(holder.run());
    }

    @Test
    final void aDelayedMessageIsNotEarlyBecauseTheClockWentBack() {
        createQueue();
        MessageId id = sent(newMail().delay(HOUR));
        clock.move(Duration.ofDays(-1));
        assertThat(received(1)).isEmpty();
        clock.move(Duration.ofDays(1).plus(HOUR));
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void aClockThatLeapsAheadMakesDueWhatWasDueInBetween() {
        RunId first = started(newRun().ready(Due.in(MINUTE)));
        RunId second = started(newRun().ready(Due.in(HOUR)));
        clock.move(Duration.ofDays(3));
        assertThat(due()).containsExactly(first, second);
    }

    /** What its commits answered and what a snapshot reads of a run are the same events, at these times. */
    private void recordedAt(RunId run, List<Recorded> answered, Instant... times) {
        List<Recorded> history = snapshot(run).history();
        assertThat(history).extracting(Recorded::at).containsExactly(times);
        assertThat(history).endsWith(answered.toArray(Recorded[]::new));
    }

    @Test
    final void append_afterClockStepsBack_isNotEarlierThanTheEventBefore() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.step("a")));
        clock.move(HOUR.negated());
        recordedAt(
                holder.run(), appended(holder.appends(2, Events.step("b"), Events.step("c"))), NOON, NOON, NOON, NOON);
        clock.move(HOUR.plus(MOMENT));
        recordedAt(
                holder.run(), appended(holder.appends(4, Events.step("d"))), NOON, NOON, NOON, NOON, NOON.plus(MOMENT));
    }

    @Test
    final void append_afterClockStepsBackSinceTheStart_isNotEarlierThanTheStart() {
        Holder holder = startedAndHeld();
        Holder ending = startedAndHeld();
        clock.move(HOUR.negated());
        recordedAt(holder.run(), appended(holder.appends(1, Events.step("a"))), NOON, NOON);
        recordedAt(ending.run(), appended(ending.appends(1, Events.completed("1"))), NOON, NOON);
        assertThat(row(ending.run()).completedAt()).isEqualTo(NOON);
    }

    @Test
    final void appendsInOneBatch_afterClockStepsBack_areNotEarlierThanTheEventsBefore() {
        Holder first = startedAndHeld();
        Holder second = startedAndHeld();
        appended(second.appends(1, Events.step("a")));
        Holder ending = startedAndHeld();
        clock.move(HOUR.negated());
        Holder late = startedAndHeld();
        List<Outcome> outcomes = commitTogether(
                first.appends(1, Events.step("a")),
                second.appends(2, Events.step("b"), Events.step("c")),
                ending.appends(1, Events.step("a"), Events.completed("1")),
                late.appends(1, Events.step("a")));
        assertThat(outcomes).hasOnlyElementsOfType(Outcome.Appended.class);
        recordedAt(first.run(), ((Outcome.Appended) outcomes.get(0)).events(), NOON, NOON);
        recordedAt(second.run(), ((Outcome.Appended) outcomes.get(1)).events(), NOON, NOON, NOON, NOON);
        recordedAt(ending.run(), ((Outcome.Appended) outcomes.get(2)).events(), NOON, NOON, NOON);
        assertThat(row(ending.run()).completedAt()).isEqualTo(NOON);
        Instant before = NOON.minus(HOUR);
        recordedAt(late.run(), ((Outcome.Appended) outcomes.get(3)).events(), before, before);
    }

    /** A claim repairs leases, after which the store may take the clock that went back for the clock. */
    @Test
    final void append_afterClockStepsBackAndAClaim_isNotEarlierThanTheEventBefore() {
        Holder holder = startedAndHeld();
        Holder other = startedAndHeld();
        clock.move(HOUR.negated());
        assertThat(due()).isEmpty();
        assertThat(due()).isEmpty();
        recordedAt(holder.run(), appended(holder.appends(1, Events.step("a"))), NOON, NOON);
        List<Outcome> together = commitTogether(other.appends(1, Events.step("a")), newRun().start());
        recordedAt(other.run(), ((Outcome.Appended) together.getFirst()).events(), NOON, NOON);
    }

    /** Nothing but the run itself tells its time any more. */
    @Test
    final void append_afterLanesWereSweptByAClockFarAhead_isNotEarlierThanTheEventBefore() {
        Holder holder = startedAndHeld();
        clock.move(Duration.ofDays(3));
        store.sweep(Sweep.LANE_BATCHES, 100);
        clock.move(Duration.ofDays(-3).minus(HOUR));
        Lane lane = newLane();
        List<Outcome> outcomes = lane.send(holder.appends(1, Events.step("a")), newRun().start());
        recordedAt(holder.run(), ((Outcome.Appended) outcomes.getFirst()).events(), NOON, NOON);
    }

    @Test
    final void intervene_afterClockStepsBack_isNotEarlierThanTheEventBefore() {
        Holder holder = startedAndHeld();
        appended(holder.appends(1, Events.failed()));
        clock.move(HOUR.negated());
        recordedAt(holder.run(), appended(intervene(holder.run(), Events.redriven())), NOON, NOON, NOON);
        recordedAt(holder.run(), appended(intervene(holder.run(), Events.cancelled())), NOON, NOON, NOON, NOON);
        assertThat(row(holder.run()).completedAt()).isEqualTo(NOON);
    }

    @Test
    final void sleep_afterClockStepsBack_isCountedFromWhatTheClockReads() {
        Holder holder = startedAndHeld();
        Holder other = startedAndHeld();
        clock.move(HOUR.negated());
        Instant ends = NOON.minus(HOUR).plus(MINUTE);
        List<Recorded> alone = appended(holder.sleeps(1, MINUTE));
        List<Outcome> together = commitTogether(other.sleeps(1, MINUTE), newRun().start());
        assertThat(alone.getFirst().until()).isEqualTo(ends);
        assertThat(((Outcome.Appended) together.getFirst()).events().getFirst().until())
                .isEqualTo(ends);
        assertThat(messageOf(holder.run()).readyAt()).isEqualTo(ends);
        assertThat(messageOf(other.run()).readyAt()).isEqualTo(ends);
        recordedAt(holder.run(), alone, NOON, NOON);
    }
}
