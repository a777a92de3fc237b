package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.Fate;
import io.perdure.testkit.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Groups with much behind their head, and what becomes of those that wait there. */
abstract class DeepGroupContract extends GroupFixture {
    private static final QueueName LETTERS = QUEUE.deadLetters();
    private static final int DEEP = 3_000;
    private static final int SENT_TOGETHER = 100;

    DeepGroupContract(StoreFactory factory) {
        super(factory);
    }

    /** Sends so many messages of a group, and answers their ids in order. */
    private List<MessageId> sentInto(String group, int count) {
        List<MessageId> sent = new ArrayList<>();
        while (sent.size() < count) {
            NewMail[] mails = Stream.generate(() -> newMail().group(group))
                    .limit(Math.min(SENT_TOGETHER, count - sent.size()))
                    .toArray(NewMail[]::new);
            Send send = sendAll(mails);
            expect(Outcome.Sent.class, send);
            send.messages().forEach(message -> sent.add(message.id()));
        }
        return sent;
    }

    private void discard(MessageId id) {
        assertThat(commit(new Discard(TENANT, QUEUE, id))).isEqualTo(new Outcome.Changed(1));
    }

    @Test
    final void theHeadsOfOtherGroupsComeHoweverDeepOneIs() {
        List<MessageId> deep = sentInto("deep", DEEP);
        List<MessageId> heads = IntStream.range(0, 20)
                .mapToObj(group -> sentInto("g" + group, 3).getFirst())
                .toList();
        MessageId alone = sent();
        List<MessageId> received = received(100);
        assertThat(received).hasSize(22).contains(deep.getFirst(), alone).containsAll(heads);
        assertThat(received(100)).isEmpty();
    }

    @Test
    final void aDeepGroupComesInOrder() {
        List<MessageId> deep = sentInto("deep", DEEP);
        for (MessageId expected : deep.subList(0, 100)) {
            nextIs(expected);
        }
        assertThat(store.figures(TENANT, QUEUE).orElseThrow().ready()).isEqualTo(DEEP - 100);
    }

    @Test
    final void ofADeepGroupOneMessageIsDeliverable() {
        List<MessageId> deep = sentInto("deep", DEEP);
        MessageQuery deliverable = new MessageQuery(TENANT, QUEUE, true, null, 1_000);
        assertThat(store.messages(deliverable)).extracting(MessageRow::id).containsExactly(deep.getFirst());
        Delivery head = receiveOnly();
        assertThat(store.messages(deliverable)).isEmpty();
        fate(done(head));
        assertThat(store.messages(deliverable)).extracting(MessageRow::id).containsExactly(deep.get(1));
    }

    @Test
    final void aDiscardedMessageThatWaitedLeavesTheOrderOfTheOthers() {
        List<MessageId> all = sentInto("g", 5);
        discard(all.get(2));
        discard(all.get(1));
        List.of(all.get(0), all.get(3), all.get(4)).forEach(this::nextIs);
    }

    @Test
    final void aBlockedMessageAndThenItsHeadAreDiscarded() {
        List<MessageId> all = sentInto("g", 3);
        discard(all.get(1));
        discard(all.get(0));
        nextIs(all.get(2));
    }

    @Test
    final void aBlockedMessageIsDiscardedWhileItsHeadIsHeld() {
        List<MessageId> all = sentInto("g", 3);
        Delivery head = receiveOnly();
        discard(all.get(1));
        assertThat(received(10)).isEmpty();
        fate(done(head));
        nextIs(all.get(2));
    }

    @Test
    final void headAndNextAreDiscardedTogether() {
        List<MessageId> all = sentInto("g", 3);
        assertThat(commitTogether(new Discard(TENANT, QUEUE, all.get(0)), new Discard(TENANT, QUEUE, all.get(1))))
                .containsOnly(new Outcome.Changed(1));
        nextIs(all.get(2));
    }

    @Test
    final void headIsDoneAndAnotherJoinsInOneBatch() {
        MessageId head = sent(inGroup());
        Delivery held = receiveOnly();
        NewMail next = inGroup();
        NewMail last = inGroup();
        commitTogether(next.send(TENANT), done(held), last.send(TENANT));
        assertThat(messages(QUEUE)).extracting(MessageRow::id).doesNotContain(head);
        nextIs(next.message().id());
        nextIs(last.message().id());
    }

    @Test
    final void aGroupWhoseHeadAndTailAreGoneGoesOnWithItsMiddle() {
        List<MessageId> all = sentInto("g", 3);
        discard(all.get(2));
        discard(all.get(0));
        nextIs(all.get(1));
        nextIs(sent(inGroup()));
    }

    @Test
    final void aMessageThatIsGivenUpAfterItsRedriveLetsTheNextGo() {
        List<MessageId> all = sentInto("g", 2);
        fate(reject(receiveOnly()));
        expect(Outcome.Changed.class, new Redrive(TENANT, LETTERS, all.get(0)));
        MessageId last = sent(inGroup());
        nextIs(all.get(1));
        Delivery redriven = receiveOnly();
        assertThat(redriven.message().id()).isEqualTo(all.get(0));
        assertThat(redriven.message().groupSeq()).isEqualTo(3);
        assertThat(received(10)).isEmpty();
        assertThat(fate(reject(redriven))).isEqualTo(Fate.DEAD_LETTERED);
        nextIs(last);
        assertThat(messages(LETTERS)).extracting(MessageRow::id).containsExactly(all.get(0));
    }

    @Test
    final void aRedrivenMessageOfAGroupThatIsGoneIsItsHead() {
        MessageId first = deadLetter(inGroup());
        MessageId second = deadLetter(inGroup());
        expect(Outcome.Changed.class, new Redrive(TENANT, LETTERS, second));
        expect(Outcome.Changed.class, new Redrive(TENANT, LETTERS, first));
        nextIs(second);
        nextIs(first);
    }

    @Test
    final void aRedrivenMessageWaitsBehindAHeadThatIsHeld() {
        MessageId dead = deadLetter(inGroup());
        sent(inGroup());
        Delivery head = receiveOnly();
        expect(Outcome.Changed.class, new Redrive(TENANT, LETTERS, dead));
        assertThat(received(10)).isEmpty();
        fate(done(head));
        nextIs(dead);
    }
}
