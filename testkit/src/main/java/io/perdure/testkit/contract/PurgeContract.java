package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome.Changed;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which messages a purge takes, and what it leaves behind of groups. */
abstract class PurgeContract extends GroupFixture {
    PurgeContract(StoreFactory factory) {
        super(factory);
    }

    private void purge(int limit) {
        assertThat(commit(new Purge(TENANT, QUEUE, limit))).isEqualTo(new Changed(limit));
    }

    private List<MessageId> left() {
        return messages(QUEUE).stream().map(MessageRow::id).toList();
    }

    @Test
    final void aPurgeTakesWhatIsReadyFirst() {
        MessageId late = sent(newMail().delay(HOUR));
        MessageId early = sent(newMail().delay(MINUTE));
        MessageId now = sent();
        assertThat(left()).containsExactly(now, early, late);
        purge(1);
        assertThat(left()).containsExactly(early, late);
        purge(1);
        assertThat(left()).containsExactly(late);
    }

    @Test
    final void ofMessagesThatAreReadyTogetherAPurgeTakesTheLowestIds() {
        NewMail lowest = newMail();
        NewMail middle = newMail();
        MessageId highest = sent();
        commit(sendAll(middle, lowest));
        purge(1);
        assertThat(left()).containsExactly(middle.message().id(), highest);
        purge(1);
        assertThat(left()).containsExactly(highest);
    }

    @Test
    final void aPurgeTakesALeasedMessageByTheEndOfItsLease() {
        sent();
        Delivery held = receiveOnly();
        MessageId sooner = sent(newMail().delay(LEASE.minus(MOMENT)));
        MessageId later = sent(newMail().delay(LEASE.plus(MOMENT)));
        purge(1);
        assertThat(left()).containsExactly(held.message().id(), later).doesNotContain(sooner);
        purge(1);
        leaseLost(done(held));
        assertThat(left()).containsExactly(later);
    }

    @Test
    final void aPurgedHeadUnblocksItsGroup() {
        sent(inGroup());
        MessageId next = sent(inGroup());
        MessageId last = sent(inGroup());
        purge(1);
        assertThat(received(10)).containsExactly(next);
        assertThat(left()).containsExactlyInAnyOrder(next, last);
    }

    @Test
    final void aPurgedHeadThatWasHeldUnblocksItsGroup() {
        sent(inGroup());
        Delivery held = receiveOnly();
        MessageId next = sent(inGroup().delay(HOUR));
        purge(1);
        leaseLost(done(held));
        clock.move(HOUR);
        assertThat(received(10)).containsExactly(next);
    }

    @Test
    final void aPurgedTailLeavesItsGroupAsItWas() {
        MessageId head = sent(inGroup().delay(HOUR));
        MessageId tail = sent(inGroup());
        purge(1);
        assertThat(left()).containsExactly(head).doesNotContain(tail);
        MessageId joined = sent(inGroup());
        assertThat(message(QUEUE, joined).groupSeq()).isEqualTo(3);
        assertThat(received(10)).isEmpty();
        clock.move(HOUR);
        Delivery delivery = receiveOnly();
        assertThat(delivery.message().id()).isEqualTo(head);
        fate(done(delivery));
        assertThat(received(10)).containsExactly(joined);
    }

    @Test
    final void aPurgedMiddleLeavesItsGroupInOrder() {
        MessageId head = sent(inGroup().delay(HOUR));
        sent(inGroup());
        MessageId tail = sent(inGroup().delay(MINUTE));
        purge(1);
        clock.move(HOUR);
        Delivery delivery = receiveOnly();
        assertThat(delivery.message().id()).isEqualTo(head);
        fate(done(delivery));
        assertThat(received(10)).containsExactly(tail);
    }

    @Test
    final void theNextOfEveryGroupComesAfterAPurge() {
        for (String group : List.of("a", "b", "c")) {
            sent(newMail().group(group));
        }
        clock.move(MOMENT);
        List<MessageId> next = List.of("a", "b", "c").stream()
                .map(group -> sent(newMail().group(group)))
                .toList();
        purge(3);
        assertThat(received(10)).containsExactlyInAnyOrderElementsOf(next);
    }

    @Test
    final void aGroupThatWasPurgedToItsLastMessageStartsOver() {
        sent(inGroup());
        sent(inGroup());
        assertThat(commit(new Purge(TENANT, QUEUE, 10))).isEqualTo(new Changed(2));
        MessageId next = sent(inGroup());
        assertThat(message(QUEUE, next).groupSeq()).isEqualTo(1);
        assertThat(received(10)).containsExactly(next);
    }

    @Test
    final void whatIsPurgedIsCountedAsOut() {
        sent();
        sent(newMail().delay(HOUR));
        sent(newMail().group("g"));
        sent(newMail().group("g").delay(MINUTE));
        receive(1);
        purge(3);
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(0, 1, 0, null, 4, 3, 0, 0, 0));
        clock.move(Duration.ofHours(2));
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(1, 0, 0, NOON.plus(HOUR), 4, 3, 0, 0, 0));
    }
}
