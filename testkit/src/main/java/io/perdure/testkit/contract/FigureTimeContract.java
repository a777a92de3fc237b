package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.id.MessageId;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What time alone does to the figures of a queue: exact at every moment, though nobody writes. */
abstract class FigureTimeContract extends FigureFixture {
    FigureTimeContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue();
    }

    private Delivery receiveFor(Duration lease) {
        return store.receive(new Receive(TENANT, QUEUE, 1, new Lease(ids.token(), lease)))
                .deliveries()
                .getFirst();
    }

    /** The first moment of the so-manieth slot from now, of slots that last for 2^bits microseconds. */
    private static Instant slot(int bits, int ahead) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, NOON);
        return Instant.EPOCH.plus(((micros >> bits) + ahead) << bits, ChronoUnit.MICROS);
    }

    private void moveTo(Instant time) {
        clock.move(Duration.between(store.now(), time));
    }

    @Test
    final void aDelayedMessageIsReadyFromItsTimeOn() {
        sent(newMail().delay(MINUTE));
        stands(0, 1, 0, null);
        clock.move(MINUTE.minus(MOMENT));
        stands(0, 1, 0, null);
        clock.move(MOMENT);
        stands(1, 0, 0, NOON.plus(MINUTE));
    }

    @Test
    final void aLeasedMessageIsReadyFromTheEndOfItsLeaseOn() {
        sent();
        receiveOnly();
        clock.move(LEASE.minus(MOMENT));
        stands(0, 0, 1, null);
        clock.move(MOMENT);
        stands(1, 0, 0, NOON.plus(LEASE));
    }

    @Test
    final void aRetriedMessageIsReadyFromItsTimeOn() {
        sent();
        fate(retry(receiveOnly(), HOUR));
        clock.move(HOUR.minus(MOMENT));
        stands(0, 1, 0, null);
        clock.move(MOMENT);
        stands(1, 0, 0, NOON.plus(HOUR));
    }

    @Test
    final void anExtendedLeaseEndsLaterAndAShortenedOneEarlier() {
        sent();
        Delivery delivery = receiveOnly();
        store.extend(List.of(new Extend(TENANT, delivery.receipt(), HOUR)));
        clock.move(HOUR.minus(MOMENT));
        stands(0, 0, 1, null);
        store.extend(List.of(new Extend(TENANT, delivery.receipt(), LEASE)));
        clock.move(LEASE.minus(MOMENT));
        stands(0, 0, 1, null);
        store.extend(List.of(new Extend(TENANT, delivery.receipt(), MOMENT)));
        stands(0, 0, 1, null);
        clock.move(MOMENT);
        stands(1, 0, 0, store.now());
    }

    @Test
    final void anExpiredLeaseThatIsExtendedIsOneAgain() {
        sent();
        Delivery delivery = receiveOnly();
        clock.move(HOUR);
        stands(1, 0, 0, NOON.plus(LEASE));
        store.extend(List.of(new Extend(TENANT, delivery.receipt(), LEASE)));
        stands(0, 0, 1, null);
        clock.move(LEASE);
        stands(1, 0, 0, NOON.plus(HOUR).plus(LEASE));
    }

    @Test
    final void messagesThatBecomeReadyOneAfterTheOtherAreCountedOneByOne() {
        Duration step = Duration.ofMillis(700);
        int count = 40;
        IntStream.rangeClosed(1, count).forEach(number -> sent(newMail().delay(step.multipliedBy(number))));
        for (int passed = 0; passed <= count; passed++) {
            stands(passed, count - passed, 0, passed == 0 ? null : NOON.plus(step));
            clock.move(step.minus(MOMENT));
            stands(passed, count - passed, 0, passed == 0 ? null : NOON.plus(step));
            clock.move(MOMENT);
        }
    }

    @Test
    final void leasesThatRunOutOneAfterTheOtherAreCountedOneByOne() {
        int count = 20;
        IntStream.range(0, count).forEach(_ -> sent());
        Duration step = Duration.ofMillis(1_300);
        IntStream.rangeClosed(1, count).forEach(number -> receiveFor(step.multipliedBy(number)));
        for (int passed = 0; passed <= count; passed++) {
            stands(passed, 0, count - passed, passed == 0 ? null : NOON.plus(step));
            clock.move(step);
        }
    }

    /** A store may count by slots of time, as long as nobody can tell; those of 4 and of 268 seconds are in use. */
    @ParameterizedTest
    @ValueSource(ints = {22, 28})
    final void theFirstAndTheLastMomentOfASlotAreNoDifferent(int bits) {
        Instant first = slot(bits, 1);
        for (int ahead = 1; ahead <= 3; ahead++) {
            for (int micros = -1; micros <= 1; micros++) {
                Duration until = Duration.between(NOON, slot(bits, ahead)).plus(micros, ChronoUnit.MICROS);
                sent(newMail().delay(until));
                sent();
                receiveFor(until);
            }
        }
        long ready = 0;
        for (int ahead = 1; ahead <= 3; ahead++) {
            moveTo(slot(bits, ahead).minus(MOMENT.multipliedBy(2)));
            for (int micros = -1; micros <= 1; micros++) {
                stands(2 * ready, 9 - ready, 9 - ready, ready == 0 ? null : first.minus(MOMENT));
                clock.move(MOMENT);
                ready++;
            }
            stands(2 * ready, 9 - ready, 9 - ready, first.minus(MOMENT));
        }
    }

    @Test
    final void aDelayOfTwelveHoursIsOverAfterTwelveHours() {
        Duration half = Duration.ofHours(12);
        sent(newMail().delay(half));
        sent();
        receiveFor(half);
        clock.move(half.minus(MOMENT));
        stands(0, 1, 1, null);
        clock.move(MOMENT);
        stands(2, 0, 0, NOON.plus(half));
    }

    @Test
    final void aThousandMessagesDelayedOverTwelveHoursAreCountedAtEveryMoment() {
        int count = 1_000;
        Duration step = Duration.ofHours(12).dividedBy(count);
        for (int from = 0; from < count; from += 100) {
            expect(
                    Outcome.Sent.class,
                    sendAll(IntStream.rangeClosed(from + 1, from + 100)
                            .mapToObj(number -> newMail().delay(step.multipliedBy(number)))
                            .toArray(NewMail[]::new)));
        }
        stands(0, count, 0, null);
        for (int passed = 37; passed < count; passed += 37) {
            moveTo(NOON.plus(step.multipliedBy(passed)).minus(MOMENT));
            stands(passed - 1, count - passed + 1, 0, NOON.plus(step));
            clock.move(MOMENT);
            stands(passed, count - passed, 0, NOON.plus(step));
        }
        clock.move(Duration.ofHours(12));
        stands(count, 0, 0, NOON.plus(step));
    }

    @Test
    final void timeMovesWhatWaitsBehindAHeadAsWell() {
        sent(newMail().group("g").delay(HOUR));
        sent(newMail().group("g").delay(MINUTE));
        sent(newMail().group("g"));
        stands(1, 2, 0, NOON);
        clock.move(MINUTE);
        stands(2, 1, 0, NOON);
        clock.move(HOUR);
        stands(3, 0, 0, NOON);
    }

    @Test
    final void aMessageSentWithoutADelayIsReadyWhereverTheClockHasGone() {
        sent();
        clock.move(HOUR.negated());
        stands(1, 0, 0, null);
        clock.move(HOUR);
        stands(1, 0, 0, NOON);
    }

    @Test
    final void aDelayedMessageIsDelayedWhenTheClockHasGoneBackAndWhenItHasComeForwardAgain() {
        sent(newMail().delay(MINUTE));
        clock.move(HOUR.negated());
        stands(0, 1, 0, null);
        clock.move(HOUR.plus(MINUTE).minus(MOMENT));
        stands(0, 1, 0, null);
        clock.move(MOMENT);
        stands(1, 0, 0, NOON.plus(MINUTE));
        clock.move(MOMENT.negated());
        stands(0, 1, 0, null);
        clock.move(HOUR);
        stands(1, 0, 0, NOON.plus(MINUTE));
    }

    @Test
    final void figures_afterClockStepsBack_countLeasesAsLeased() {
        sent();
        receiveOnly();
        clock.move(LEASE.negated());
        stands(0, 0, 1, null);
        clock.move(MOMENT.negated());
        stands(0, 0, 1, null);
        clock.move(Duration.ofDays(-1));
        stands(0, 0, 1, null);
        moveTo(NOON);
        stands(0, 0, 1, null);
        clock.move(LEASE);
        stands(1, 0, 0, NOON.plus(LEASE));
    }

    @Test
    final void figures_afterAReceiveShortenedALease_countItByItsNewEnd() {
        sent();
        receiveOnly();
        clock.move(HOUR.negated());
        assertThat(received(1)).isEmpty();
        stands(0, 0, 1, null);
        clock.move(LEASE);
        stands(1, 0, 0, NOON.minus(HOUR).plus(LEASE));
        moveTo(NOON);
        stands(1, 0, 0, NOON.minus(HOUR).plus(LEASE));
        receiveOnly();
        stands(0, 0, 1, null);
        clock.move(LEASE);
        stands(1, 0, 0, NOON.plus(LEASE));
    }

    @Test
    final void figures_afterAClockFarAheadWasCorrected_countEverythingThatWaits() {
        Duration years = Duration.ofDays(36_500);
        clock.move(years);
        sent();
        sent(newMail().delay(MINUTE));
        receiveOnly();
        store.sweep(Sweep.EXPIRED_MESSAGES, 100);
        clock.move(years.negated());
        sent(newMail().delay(HOUR));
        assertThat(received(10)).isEmpty();
        stands(0, 2, 1, null);
        clock.move(LEASE);
        stands(1, 2, 0, NOON.plus(LEASE));
        fate(done(receiveOnly()));
        stands(0, 2, 0, null);
        clock.move(HOUR);
        stands(1, 1, 0, NOON.plus(HOUR));
    }

    @Test
    final void aRedrivenMessageIsReadyFromItsRedriveOn() {
        MessageId id = deadLetter(newMail());
        clock.move(MINUTE);
        expect(Outcome.Changed.class, new Redrive(TENANT, QUEUE.deadLetters(), id));
        stands(1, 0, 0, NOON.plus(MINUTE));
        clock.move(MOMENT.negated());
        stands(0, 1, 0, null);
        clock.move(HOUR);
        stands(1, 0, 0, NOON.plus(MINUTE));
    }
}
