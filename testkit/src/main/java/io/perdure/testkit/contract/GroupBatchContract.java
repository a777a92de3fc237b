package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Groups that are joined and left within one batch: as if its commits came one after the other, to the numbers that are given out. */
abstract class GroupBatchContract extends GroupFixture {
    private static final Outcome DONE = new Outcome.Settled(Fate.DONE);

    GroupBatchContract(StoreFactory factory) {
        super(factory);
    }

    private static MessageId id(NewMail mail) {
        return mail.message().id();
    }

    private Map<MessageId, Long> numbers() {
        Map<MessageId, Long> numbers = new HashMap<>();
        messages(QUEUE).forEach(row -> numbers.put(row.id(), row.groupSeq()));
        return numbers;
    }

    private void nextAre(NewMail... mails) {
        for (NewMail mail : mails) {
            nextIs(id(mail));
        }
        assertThat(received(10)).isEmpty();
    }

    private Delivery onlyOne() {
        sent(inGroup());
        return receiveOnly();
    }

    @Test
    final void whoJoinsBeforeTheOnlyOneLeavesCountsOn() {
        Delivery head = onlyOne();
        NewMail next = inGroup();
        NewMail last = inGroup();
        assertThat(commitTogether(next.send(TENANT), done(head), last.send(TENANT)))
                .contains(DONE);
        assertThat(numbers()).containsOnly(entry(id(next), 2L), entry(id(last), 3L));
        nextAre(next, last);
    }

    @Test
    final void whoJoinsAfterTheOnlyOneHasLeftIsTheFirst() {
        Delivery head = onlyOne();
        NewMail next = inGroup();
        NewMail last = inGroup();
        assertThat(commitTogether(done(head), next.send(TENANT), last.send(TENANT)))
                .startsWith(DONE);
        assertThat(numbers()).containsOnly(entry(id(next), 1L), entry(id(last), 2L));
        nextAre(next, last);
    }

    @Test
    final void eachGroupOfABatchGoesByItsOwnOrder() {
        sent(newMail().group("a"));
        sent(newMail().group("b"));
        List<Delivery> heads = receive(10);
        NewMail inA = newMail().group("a");
        NewMail inB = newMail().group("b");
        NewMail inC = newMail().group("c");
        commitTogether(done(heads.get(0)), inB.send(TENANT), inA.send(TENANT), done(heads.get(1)), inC.send(TENANT));
        assertThat(numbers()).containsOnly(entry(id(inA), 1L), entry(id(inB), 2L), entry(id(inC), 1L));
        assertThat(received(10)).containsExactlyInAnyOrder(id(inA), id(inB), id(inC));
    }

    @Test
    final void whoIsGivenBackStaysAheadOfWhoJoins() {
        Delivery head = onlyOne();
        NewMail next = inGroup();
        NewMail last = inGroup();
        commitTogether(next.send(TENANT), retry(head, Duration.ZERO), last.send(TENANT));
        assertThat(received(10)).containsExactly(head.message().id());
        assertThat(numbers()).contains(entry(id(next), 2L), entry(id(last), 3L));
    }

    @Test
    final void whoJoinsAfterTheOnlyOneWasGivenUpIsTheFirst() {
        Delivery head = onlyOne();
        NewMail next = inGroup();
        commitTogether(reject(head), next.send(TENANT));
        assertThat(numbers()).containsOnly(entry(id(next), 1L));
        nextAre(next);
    }

    @Test
    final void whoWasRefusedHasNotJoined() {
        Delivery head = onlyOne();
        NewMail refused = inGroup().delay(Duration.ofHours(13));
        NewMail next = inGroup();
        List<Outcome> outcomes = commitTogether(refused.send(TENANT), done(head), next.send(TENANT));
        assertThat(outcomes.getFirst())
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        outcome -> assertThat(outcome.why()).isEqualTo(Refusal.DELAY_TOO_LONG));
        assertThat(numbers()).containsOnly(entry(id(next), 1L));
        nextAre(next);
    }

    @Test
    final void whoIsRefusedWithAnotherHasNotJoined() {
        Delivery head = onlyOne();
        NewMail next = inGroup();
        commitTogether(sendAll(inGroup(), newMail().delay(Duration.ofHours(13))), done(head), next.send(TENANT));
        assertThat(numbers()).containsOnly(entry(id(next), 1L));
        nextAre(next);
    }

    @Test
    final void whoJoinsWithADelayKeepsTheGroup() {
        Delivery head = onlyOne();
        NewMail delayed = inGroup().delay(MINUTE);
        NewMail next = inGroup();
        commitTogether(delayed.send(TENANT), done(head), next.send(TENANT));
        assertThat(numbers()).containsOnly(entry(id(delayed), 2L), entry(id(next), 3L));
        assertThat(received(10)).isEmpty();
        clock.move(MINUTE);
        nextAre(delayed, next);
    }

    @Test
    final void anAcknowledgementThatComesTooLateLeavesNoGroup() {
        Delivery head = onlyOne();
        clock.move(LEASE.multipliedBy(2));
        Delivery again = receiveOnly();
        NewMail next = inGroup();
        NewMail last = inGroup();
        List<Outcome> outcomes = commitTogether(next.send(TENANT), done(head), last.send(TENANT));
        assertThat(outcomes.get(1)).isEqualTo(new Outcome.LeaseLost(null));
        assertThat(received(10)).isEmpty();
        fate(done(again));
        nextAre(next, last);
    }

    @Test
    final void aBatchOfManyGroupsLeavesEachWithItsNext() {
        List<NewMail> first = mails();
        List<NewMail> second = mails();
        List<NewMail> third = mails();
        first.forEach(mail -> sent(mail));
        List<Delivery> heads = receive(100);
        commitTogether(Stream.of(
                        second.stream().limit(20).map(mail -> mail.send(TENANT)),
                        heads.stream().map(StoreFixture::done),
                        second.stream().skip(20).map(mail -> mail.send(TENANT)),
                        third.stream().map(mail -> mail.send(TENANT)))
                .flatMap(commits -> commits)
                .toArray(Commit[]::new));
        assertThat(received(100)).containsExactlyInAnyOrderElementsOf(ids(second));
        Map<MessageId, Long> numbers = numbers();
        for (int group = 0; group < third.size(); group++) {
            assertThat(numbers).containsEntry(id(third.get(group)), group < 20 ? 3L : 2L);
        }
    }

    /** A receipt knows its group by a hash, and these two have the same. */
    @Test
    final void twoGroupsOfOneHashAreTwoGroups() {
        sent(newMail().group("BB"));
        Delivery head = receiveOnly();
        NewMail other = newMail().group("Aa");
        NewMail next = newMail().group("BB");
        assertThat(other.message().groupHash()).isEqualTo(head.receipt().groupHash());
        commitTogether(other.send(TENANT), done(head), next.send(TENANT));
        assertThat(numbers()).containsOnly(entry(id(other), 1L), entry(id(next), 1L));
        assertThat(received(10)).containsExactlyInAnyOrder(id(other), id(next));
    }

    @Test
    final void aReceiptWithoutTheHashLetsTheNextGoAsWell() {
        Delivery head = onlyOne();
        Receipt bare = new Receipt(head.receipt().message(), head.receipt().token());
        NewMail next = inGroup();
        NewMail last = inGroup();
        commitTogether(next.send(TENANT), new Settle(TENANT, bare, new Verdict.Done()), last.send(TENANT));
        assertThat(numbers()).containsOnly(entry(id(next), 2L), entry(id(last), 3L));
        nextAre(next, last);
    }

    private List<NewMail> mails() {
        return IntStream.range(0, 40)
                .mapToObj(group -> newMail().group("g" + group))
                .toList();
    }

    private static List<MessageId> ids(List<NewMail> mails) {
        return mails.stream().map(GroupBatchContract::id).toList();
    }
}
