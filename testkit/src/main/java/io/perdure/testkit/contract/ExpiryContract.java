package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that outlived their retention: a receive that meets one removes it on the spot. */
abstract class ExpiryContract extends SweepFixture {
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final QueueSettings SETTINGS =
            QueueSettings.defaults().retention(RETENTION).deadLetterRetention(RETENTION);

    ExpiryContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue(QUEUE, SETTINGS);
    }

    private NewMail inGroup() {
        return newMail().group("g");
    }

    private List<MessageId> deliverable() {
        return store.messages(new MessageQuery(TENANT, QUEUE, true, null, 10)).stream()
                .map(MessageRow::id)
                .toList();
    }

    private List<MessageId> receivedOf(Set<MessageId> only) {
        return store.receive(new Receive(TENANT, QUEUE, 10, lease(), only)).deliveries().stream()
                .map(delivery -> delivery.message().id())
                .toList();
    }

    @Test
    final void aReceiveRemovesTheExpiredMessageThatItMeets() {
        sent();
        clock.move(RETENTION);
        assertThat(messages(QUEUE)).hasSize(1);
        assertThat(received(1)).isEmpty();
        assertThat(messages(QUEUE)).isEmpty();
    }

    @Test
    final void aMessageThatAReceiveRemovedIsCountedAsExpiredOnce() {
        sent();
        clock.move(RETENTION);
        received(1);
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isZero();
        received(1);
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(0, 0, 0, null, 1, 0, 0, 0, 1));
    }

    @Test
    final void aMessageThatTheSweepRemovedIsNotCountedByAReceive() {
        sent();
        clock.move(RETENTION);
        assertThat(sweep(Sweep.EXPIRED_MESSAGES)).isEqualTo(1);
        assertThat(received(1)).isEmpty();
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(0, 0, 0, null, 1, 0, 0, 0, 1));
    }

    @Test
    final void expiredMessagesInARowTakeNoRoomInAReceive() {
        for (int message = 0; message < 20; message++) {
            sent();
        }
        clock.move(RETENTION);
        MessageId fresh = sent();
        assertThat(received(1)).containsExactly(fresh);
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(0, 0, 1, null, 21, 0, 0, 0, 20));
    }

    @Test
    final void aReceiveThatMeetsVeryManyExpiredMessagesStopsAndSaysThatThereMayBeMore() {
        int more = 20;
        sentMany(Receive.MOST_LEFT_OUT + more);
        clock.move(RETENTION);
        MessageId fresh = sent();
        Received first = store.receive(new Receive(TENANT, QUEUE, 7, lease()));
        assertThat(first.deliveries()).isEmpty();
        assertThat(first.nextReady()).isEqualTo(store.now().plus(MOMENT));
        assertThat(messages(QUEUE)).hasSize(more + 1);
        assertThat(received(10)).containsExactly(fresh);
        assertThat(store.figures(TENANT, QUEUE).orElseThrow().expired()).isEqualTo(Receive.MOST_LEFT_OUT + more);
    }

    private void sentMany(int count) {
        for (int from = 0; from < count; from += 100) {
            NewMail[] mails = Stream.generate(this::newMail)
                    .limit(Math.min(100, count - from))
                    .toArray(NewMail[]::new);
            expect(Outcome.Sent.class, sendAll(mails));
        }
    }

    @Test
    final void anExpiredHeadMakesWayForTheNextInTheSameReceive() {
        sent(inGroup());
        clock.move(MINUTE);
        MessageId next = sent(inGroup());
        MessageId last = sent(inGroup());
        clock.move(RETENTION.minus(MINUTE));
        assertThat(received(10)).containsExactly(next);
        assertThat(messages(QUEUE)).extracting(MessageRow::id).containsExactlyInAnyOrder(next, last);
        assertThat(store.figures(TENANT, QUEUE).orElseThrow().expired()).isEqualTo(1);
    }

    @Test
    final void expiredHeadsOneBehindTheOtherAllMakeWay() {
        for (int message = 0; message < 5; message++) {
            sent(inGroup());
        }
        clock.move(RETENTION);
        MessageId fresh = sent(inGroup());
        assertThat(received(10)).containsExactly(fresh);
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(0, 0, 1, null, 6, 0, 0, 0, 5));
    }

    @Test
    final void anExpiredHeadIsInTheWayOfALookUntilItIsRemoved() {
        sent(inGroup());
        clock.move(MINUTE);
        MessageId next = sent(inGroup());
        clock.move(RETENTION.minus(MINUTE));
        assertThat(deliverable()).isEmpty();
        sweep(Sweep.EXPIRED_MESSAGES);
        assertThat(deliverable()).containsExactly(next);
    }

    @Test
    final void anExpiredMessageWithoutAGroupIsInNobodysWay() {
        sent();
        clock.move(MINUTE);
        MessageId next = sent();
        clock.move(RETENTION.minus(MINUTE));
        assertThat(deliverable()).containsExactly(next);
    }

    @Test
    final void anExpiredMessageThatIsAskedForByNameExpires() {
        MessageId old = sent();
        clock.move(MINUTE);
        MessageId fresh = sent();
        clock.move(RETENTION.minus(MINUTE));
        assertThat(receivedOf(Set.of(old, fresh))).containsExactly(fresh);
        assertThat(messages(QUEUE)).extracting(MessageRow::id).containsExactly(fresh);
        assertThat(store.figures(TENANT, QUEUE).orElseThrow().expired()).isEqualTo(1);
    }

    @Test
    final void anExpiredMessageThatIsNotAskedForStays() {
        MessageId old = sent();
        clock.move(MINUTE);
        MessageId fresh = sent();
        clock.move(RETENTION.minus(MINUTE));
        assertThat(receivedOf(Set.of(fresh))).containsExactly(fresh);
        assertThat(messages(QUEUE)).extracting(MessageRow::id).contains(old);
        assertThat(store.figures(TENANT, QUEUE).orElseThrow().expired()).isZero();
    }

    @Test
    final void whoAsksForTheMessageBehindAnExpiredHeadGetsNothing() {
        sent(inGroup());
        clock.move(MINUTE);
        MessageId next = sent(inGroup());
        clock.move(RETENTION.minus(MINUTE));
        assertThat(receivedOf(Set.of(next))).isEmpty();
        assertThat(messages(QUEUE)).hasSize(2);
    }

    @Test
    final void aMessageThatIsBothExpiredAndUsedUpExpires() {
        sent();
        for (int delivery = 0; delivery < SETTINGS.deliveries(); delivery++) {
            receiveOnly();
            clock.move(LEASE);
        }
        clock.move(RETENTION);
        assertThat(received(1)).isEmpty();
        assertThat(messages(QUEUE.deadLetters())).isEmpty();
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(0, 0, 0, null, 1, 0, 0, 0, 1));
    }

    @Test
    final void aMessageWhoseLeaseRanOutAfterItsRetentionExpires() {
        sent();
        clock.move(RETENTION.minus(MOMENT));
        Delivery held = receiveOnly();
        clock.move(LEASE);
        assertThat(received(1)).isEmpty();
        leaseLost(done(held));
        assertThat(store.figures(TENANT, QUEUE).orElseThrow().expired()).isEqualTo(1);
    }

    @Test
    final void anExpiredDeadLetterIsRemovedByTheReceiveThatMeetsIt() {
        deadLetter(newMail());
        clock.move(RETENTION);
        assertThat(receive(QUEUE.deadLetters(), 1)).isEmpty();
        assertThat(messages(QUEUE.deadLetters())).isEmpty();
        assertThat(store.figures(TENANT, QUEUE.deadLetters())).contains(new QueueFigures(0, 0, 0, null, 1, 0, 0, 0, 1));
    }

    @Test
    final void aGroupThatExpiredToItsLastMessageStartsOver() {
        sent(inGroup());
        sent(inGroup());
        clock.move(RETENTION);
        assertThat(received(10)).isEmpty();
        MessageId next = sent(inGroup());
        assertThat(message(QUEUE, next).groupSeq()).isEqualTo(1);
        assertThat(received(10)).containsExactly(next);
    }

    @Test
    final void theTimeToAskAgainIsThatOfAHead() {
        sent(inGroup().delay(MINUTE.multipliedBy(2)));
        sent(inGroup().delay(MINUTE));
        Received none = store.receive(new Receive(TENANT, QUEUE, 10, lease()));
        assertThat(none.deliveries()).isEmpty();
        assertThat(none.nextReady()).isEqualTo(NOON.plus(MINUTE.multipliedBy(2)));
    }

    @Test
    final void theTimeToAskAgainIsThatOfTheHeadThatAnExpiredOneLeft() {
        sent(inGroup());
        sent(inGroup().delay(RETENTION.plus(MINUTE)));
        clock.move(RETENTION);
        Received none = store.receive(new Receive(TENANT, QUEUE, 10, lease()));
        assertThat(none.deliveries()).isEmpty();
        assertThat(none.nextReady()).isEqualTo(NOON.plus(RETENTION).plus(MINUTE));
    }

    @Test
    final void aMessageThatExpiredCannotBeSettled() {
        MessageId id = sent();
        Delivery held = receiveOnly();
        clock.move(RETENTION);
        assertThat(received(1)).isEmpty();
        assertThat(commit(done(held))).isEqualTo(new Outcome.LeaseLost(null));
        assertThat(messages(QUEUE)).extracting(MessageRow::id).doesNotContain(id);
    }
}
