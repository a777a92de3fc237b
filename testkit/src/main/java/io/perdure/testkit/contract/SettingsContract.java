package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Queue;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The settings of a queue: their defaults, their bounds, and that they do what they say at their bounds. */
abstract class SettingsContract extends SweepFixture {
    private static final QueueSettings DEFAULTS = QueueSettings.defaults();
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration DAY = Duration.ofDays(1);

    SettingsContract(StoreFactory factory) {
        super(factory);
    }

    private static void outOfBounds(Supplier<QueueSettings> settings) {
        assertThatThrownBy(settings::get)
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_BOUNDS));
    }

    private void isKept(QueueSettings settings) {
        createQueue(QUEUE, settings);
        assertThat(store.queue(TENANT, QUEUE)).contains(new Queue(QUEUE, settings));
        assertThat(store.queue(TENANT, QUEUE.deadLetters())).contains(new Queue(QUEUE.deadLetters(), settings));
    }

    @Test
    final void whatNobodySaysIsTheDefault() {
        assertThat(DEFAULTS)
                .isEqualTo(new QueueSettings(
                        Duration.ofSeconds(30), 3, true, Duration.ofDays(4), Duration.ofDays(4), Duration.ofHours(12)));
        isKept(DEFAULTS);
    }

    @Test
    final void everySettingIsKeptAtItsUpperBound() {
        isKept(new QueueSettings(
                Duration.ofHours(12), 100, true, DAY.multipliedBy(14), DAY.multipliedBy(14), Duration.ofHours(24)));
    }

    @Test
    final void everySettingIsKeptAtItsLowerBound() {
        isKept(new QueueSettings(MILLISECOND, 0, false, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ZERO));
    }

    @Test
    final void noSettingGoesBeyondItsBounds() {
        outOfBounds(() -> DEFAULTS.visibility(Duration.ZERO));
        outOfBounds(() -> DEFAULTS.visibility(Duration.ofHours(12).plus(MILLISECOND)));
        outOfBounds(() -> DEFAULTS.retries(-1));
        outOfBounds(() -> DEFAULTS.retries(101));
        outOfBounds(() -> DEFAULTS.retention(Duration.ofSeconds(60).minus(MILLISECOND)));
        outOfBounds(() -> DEFAULTS.retention(DAY.multipliedBy(14).plus(MILLISECOND)));
        outOfBounds(() -> DEFAULTS.deadLetterRetention(Duration.ofSeconds(60).minus(MILLISECOND)));
        outOfBounds(() -> DEFAULTS.deadLetterRetention(DAY.multipliedBy(14).plus(MILLISECOND)));
        outOfBounds(() -> DEFAULTS.maxDelay(MILLISECOND.negated()));
        outOfBounds(() -> DEFAULTS.maxDelay(Duration.ofHours(24).plus(MILLISECOND)));
    }

    @Test
    final void aLeaseOfTwelveHoursLastsTwelveHours() {
        createQueue();
        MessageId id = sent();
        Duration longest = Duration.ofHours(12);
        store.receive(new Receive(TENANT, QUEUE, 1, new Lease(ids.token(), longest)));
        clock.move(longest.minus(MOMENT));
        assertThat(received(1)).isEmpty();
        clock.move(MOMENT);
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void aHundredRetriesAreAHundredAndOneDeliveries() {
        createQueue(QUEUE, DEFAULTS.retries(100));
        MessageId id = sent();
        for (int delivery = 1; delivery <= 100; delivery++) {
            assertThat(fate(retry(receiveOnly(), Duration.ZERO))).isEqualTo(Fate.RETRIED);
        }
        assertThat(fate(retry(receiveOnly(), Duration.ZERO))).isEqualTo(Fate.DEAD_LETTERED);
        assertThat(messages(QUEUE.deadLetters())).extracting(MessageRow::id).containsExactly(id);
    }

    @Test
    final void noRetriesAreOneDelivery() {
        createQueue(QUEUE, DEFAULTS.retries(0));
        sent();
        assertThat(fate(retry(receiveOnly(), Duration.ZERO))).isEqualTo(Fate.DEAD_LETTERED);
    }

    @Test
    final void theShortestAndTheLongestRetentionLastAsLongAsTheySay() {
        Duration shortest = Duration.ofSeconds(60);
        Duration longest = DAY.multipliedBy(14);
        createQueue(QUEUE, DEFAULTS.retention(shortest).deadLetterRetention(longest));
        createQueue(OTHER_QUEUE, DEFAULTS.retention(longest).deadLetterRetention(shortest));
        MessageId dead = deadLetter(newMail());
        MessageId brief = sent();
        MessageId lasting = sent(newMail().queue(OTHER_QUEUE));
        assertThat(message(QUEUE.deadLetters(), dead).expiresAt()).isEqualTo(NOON.plus(longest));
        clock.move(shortest.minus(MOMENT));
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        clock.move(MOMENT);
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isEqualTo(1);
        assertThat(messages(QUEUE)).extracting(MessageRow::id).doesNotContain(brief);
        clock.move(longest.minus(shortest).minus(MOMENT));
        assertThat(messages(OTHER_QUEUE)).extracting(MessageRow::id).containsExactly(lasting);
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        clock.move(MOMENT);
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isEqualTo(2);
    }

    @Test
    final void theLongestDelayIsTheQueuesOwn() {
        createQueue();
        createQueue(OTHER_QUEUE, DEFAULTS.maxDelay(Duration.ofHours(24)));
        Duration half = Duration.ofHours(12);
        sent(newMail().delay(half));
        refused(Refusal.DELAY_TOO_LONG, newMail().delay(half.plus(MILLISECOND)).send(TENANT));
        sent(newMail().queue(OTHER_QUEUE).delay(Duration.ofHours(24)));
    }

    @Test
    final void aQueueThatAllowsNoDelayRefusesTheShortest() {
        createQueue(QUEUE, DEFAULTS.maxDelay(Duration.ZERO));
        refused(Refusal.DELAY_TOO_LONG, newMail().delay(MILLISECOND).send(TENANT));
        sent();
        refused(Refusal.DELAY_TOO_LONG, retry(receiveOnly(), MILLISECOND));
    }

    @Test
    final void creatingAQueueTwiceIsCreatingItOnceUnlessTheSettingsDiffer() {
        assertThat(commit(new Create(TENANT, QUEUE, DEFAULTS))).isEqualTo(new Outcome.Changed(1));
        assertThat(commit(new Create(TENANT, QUEUE, DEFAULTS))).isEqualTo(new Outcome.Changed(0));
        for (QueueSettings other : new QueueSettings[] {
            DEFAULTS.visibility(MINUTE),
            DEFAULTS.retries(4),
            DEFAULTS.deadLetters(false),
            DEFAULTS.retention(DAY),
            DEFAULTS.deadLetterRetention(DAY),
            DEFAULTS.maxDelay(HOUR)
        }) {
            refused(Refusal.QUEUE_DIFFERS, new Create(TENANT, QUEUE, other));
        }
        assertThat(Refusal.QUEUE_DIFFERS.code().code()).isEqualTo("PD-402");
        assertThat(store.queue(TENANT, QUEUE)).contains(new Queue(QUEUE, DEFAULTS));
    }
}
