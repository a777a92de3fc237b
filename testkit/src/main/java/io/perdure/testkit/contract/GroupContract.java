package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FIFO groups: delivery in commit order, one at a time. */
abstract class GroupContract extends GroupFixture {
    GroupContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void messagesOfAGroupAreDeliveredOneAtATime() {
        MessageId first = sent(inGroup());
        MessageId second = sent(inGroup());
        assertThat(received(10)).containsExactly(first);
        assertThat(received(10)).isEmpty();
        clock.move(LEASE);
        nextIs(first);
        nextIs(second);
    }

    @Test
    final void theOrderIsTheOrderOfCommitsNotOfIds() {
        NewMail one = inGroup();
        NewMail two = inGroup();
        NewMail three = inGroup();
        MessageId third = sent(three);
        MessageId first = sent(one);
        MessageId second = sent(two);
        nextIs(third);
        nextIs(first);
        nextIs(second);
    }

    @Test
    final void theOrderWithinOneSendIsTheOrderGiven() {
        NewMail one = inGroup();
        NewMail two = inGroup();
        NewMail three = inGroup();
        commit(sendAll(two, three, one));
        nextIs(two.message().id());
        nextIs(three.message().id());
        nextIs(one.message().id());
    }

    @Test
    final void theOrderWithinOneBatchIsTheOrderOfItsCommits() {
        NewMail one = inGroup();
        NewMail two = inGroup();
        commitTogether(two.send(TENANT), one.send(TENANT));
        nextIs(two.message().id());
        nextIs(one.message().id());
    }

    @Test
    final void placesInAGroupRise() {
        MessageId first = sent(inGroup());
        MessageId second = sent(inGroup());
        MessageId third = sent(inGroup());
        assertThat(message(QUEUE, first).groupSeq()).isPositive();
        assertThat(message(QUEUE, second).groupSeq())
                .isGreaterThan(message(QUEUE, first).groupSeq());
        assertThat(message(QUEUE, third).groupSeq())
                .isGreaterThan(message(QUEUE, second).groupSeq());
    }

    @Test
    final void groupsDoNotWaitForEachOther() {
        MessageId a = sent(newMail().group("a"));
        MessageId b = sent(newMail().group("b"));
        MessageId none = sent();
        sent(newMail().group("a"));
        assertThat(received(10)).containsExactlyInAnyOrder(a, b, none);
    }

    @Test
    final void groupsOfTwoQueuesAreTwoGroups() {
        createQueue(OTHER_QUEUE, QueueSettings.defaults());
        sent(inGroup());
        receiveOnly();
        MessageId other = sent(inGroup().queue(OTHER_QUEUE));
        assertThat(receiveOnly(OTHER_QUEUE).message().id()).isEqualTo(other);
    }

    @Test
    final void aDelayedHeadBlocksItsGroup() {
        MessageId head = sent(inGroup().delay(HOUR));
        MessageId next = sent(inGroup());
        assertThat(received(10)).isEmpty();
        clock.move(HOUR);
        nextIs(head);
        nextIs(next);
    }

    @Test
    final void aRetryingHeadBlocksItsGroup() {
        MessageId head = sent(inGroup());
        MessageId next = sent(inGroup());
        fate(retry(receiveOnly(), HOUR));
        assertThat(received(10)).isEmpty();
        clock.move(HOUR);
        nextIs(head);
        nextIs(next);
    }

    @Test
    final void aHeadWhoseLeaseRanOutComesAgainBeforeTheOthers() {
        MessageId head = sent(inGroup());
        sent(inGroup());
        assertThat(received(10)).containsExactly(head);
        clock.move(LEASE);
        assertThat(received(10)).containsExactly(head);
    }

    @Test
    final void aDelayedFollowerWaitsOnlyForItself() {
        MessageId head = sent(inGroup());
        MessageId follower = sent(inGroup().delay(HOUR));
        MessageId last = sent(inGroup());
        nextIs(head);
        assertThat(received(10)).isEmpty();
        clock.move(HOUR);
        nextIs(follower);
        nextIs(last);
    }

    @Test
    final void aRejectedHeadUnblocksItsGroup() {
        sent(inGroup());
        MessageId next = sent(inGroup());
        assertThat(fate(reject(receiveOnly()))).isEqualTo(Fate.DEAD_LETTERED);
        nextIs(next);
    }

    @Test
    final void aHeadThatUsedUpItsDeliveriesUnblocksItsGroupInTheSameReceive() {
        MessageId head = sent(inGroup());
        MessageId next = sent(inGroup());
        for (int delivery = 0; delivery < QueueSettings.defaults().deliveries(); delivery++) {
            assertThat(received(10)).containsExactly(head);
            clock.move(LEASE);
        }
        assertThat(received(10)).containsExactly(next);
        assertThat(messages(QUEUE.deadLetters())).extracting(MessageRow::id).containsExactly(head);
    }

    @Test
    final void aDiscardedHeadUnblocksItsGroup() {
        MessageId head = sent(inGroup());
        MessageId next = sent(inGroup());
        receiveOnly();
        commit(new Discard(TENANT, QUEUE, head));
        nextIs(next);
    }

    @Test
    final void anExpiredHeadUnblocksItsGroup() {
        QueueSettings settings = new QueueSettings(MINUTE, 3, true, HOUR, HOUR, Duration.ofHours(3));
        commit(new Update(TENANT, QUEUE, settings));
        MessageId head = sent(inGroup());
        clock.move(HOUR.minus(MINUTE));
        MessageId next = sent(inGroup());
        assertThat(store.messages(new MessageQuery(TENANT, QUEUE, true, null, 10)))
                .extracting(MessageRow::id)
                .containsExactly(head);
        clock.move(MINUTE);
        assertThat(received(10)).containsExactly(next);
    }

    @Test
    final void aRedrivenMessageGoesToTheTailOfItsGroup() {
        MessageId first = sent(inGroup());
        MessageId second = sent(inGroup());
        fate(reject(receiveOnly()));
        commit(new Redrive(TENANT, QUEUE.deadLetters(), first));
        MessageId third = sent(inGroup());
        nextIs(second);
        nextIs(first);
        nextIs(third);
    }

    @Test
    final void aDeadLetterDoesNotHoldUpItsOldGroup() {
        MessageId dead = deadLetter(inGroup());
        MessageId next = sent(inGroup());
        assertThat(received(10)).containsExactly(next);
        assertThat(messages(QUEUE.deadLetters())).extracting(MessageRow::id).containsExactly(dead);
    }

    @Test
    final void aGroupThatBecameEmptyStartsOver() {
        nextIs(sent(inGroup()));
        MessageId first = sent(inGroup());
        MessageId second = sent(inGroup());
        nextIs(first);
        nextIs(second);
    }

    @Test
    final void removingTheTailLeavesTheOrderAsItWas() {
        MessageId first = sent(inGroup());
        MessageId second = sent(inGroup());
        MessageId tail = sent(inGroup());
        commit(new Discard(TENANT, QUEUE, tail));
        MessageId last = sent(inGroup());
        List.of(first, second, last).forEach(this::nextIs);
    }

    @Test
    final void theHeadsOfManyGroupsComeInTheOrderTheyBecameReady() {
        MessageId late = sent(newMail().group("a").delay(HOUR));
        MessageId early = sent(newMail().group("b").delay(MINUTE));
        sent(newMail().group("a"));
        clock.move(HOUR);
        assertThat(received(10)).containsExactly(early, late);
    }

    @Test
    final void messagesThatAVerdictSendsFollowInTheirGroup() {
        sent(inGroup());
        MessageId second = sent(inGroup());
        NewMail follower = inGroup();
        commit(new Settle(TENANT, receiveOnly().receipt(), new Verdict.Done(), List.of(follower.message())));
        nextIs(second);
        nextIs(follower.message().id());
    }

    @Test
    final void aGroupCountsOnUntilItIsEmpty() {
        MessageId first = sent(inGroup());
        MessageId tail = sent(inGroup());
        expect(Outcome.Changed.class, new Discard(TENANT, QUEUE, tail));
        MessageId third = sent(inGroup());
        assertThat(message(QUEUE, third).groupSeq()).isEqualTo(3);

        expect(Outcome.Changed.class, new Discard(TENANT, QUEUE, third));
        expect(Outcome.Changed.class, new Discard(TENANT, QUEUE, first));
        assertThat(message(QUEUE, sent(inGroup())).groupSeq()).isEqualTo(1);
    }

    @Test
    final void whoWaitsForABlockedGroupIsToldWhenItsHeadsLeaseEnds() {
        sent(inGroup());
        sent(inGroup());
        Delivery head = receiveOnly();
        Received none = store.receive(new Receive(TENANT, QUEUE, 10, lease()));
        assertThat(none.deliveries()).isEmpty();
        assertThat(none.nextReady()).isEqualTo(head.message().readyAt());
    }
}
