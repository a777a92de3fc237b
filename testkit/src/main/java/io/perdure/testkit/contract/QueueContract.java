package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Changed;
import io.perdure.core.store.Queue;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How queues are made, changed, emptied and deleted. */
abstract class QueueContract extends StoreFixture {
    private static final QueueSettings DEFAULTS = QueueSettings.defaults();
    private static final QueueSettings OTHER =
            new QueueSettings(MINUTE, 0, true, HOUR, Duration.ofHours(2), Duration.ofHours(3));
    private static final QueueName MISSING = new QueueName("missing");

    QueueContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void aQueueComesWithItsDeadLetters() {
        assertThat(commit(new Create(TENANT, QUEUE, OTHER))).isEqualTo(new Changed(1));
        assertThat(store.queues(TENANT))
                .containsExactly(new Queue(QUEUE, OTHER), new Queue(QUEUE.deadLetters(), OTHER));
    }

    @Test
    final void queuesAreListedByName() {
        createQueue(new QueueName("zebra"), DEFAULTS);
        createQueue(new QueueName("ant_2"), DEFAULTS);
        createQueue(new QueueName("ant"), DEFAULTS);
        createQueue(new QueueName("ant2"), DEFAULTS);
        assertThat(store.queues(TENANT).stream().map(queue -> queue.name().value()))
                .containsExactly("ant", "ant.dlq", "ant2", "ant2.dlq", "ant_2", "ant_2.dlq", "zebra", "zebra.dlq");
    }

    @Test
    final void runsMakeNoQueueOfUsers() {
        QueueName runs = messageOf(started()).queue();
        assertThat(store.queues(TENANT)).isEmpty();
        assertThat(store.queue(TENANT, runs)).isEmpty();
        assertThat(store.figures(TENANT, runs)).isEmpty();
    }

    @Test
    final void creatingAQueueAgainWithEqualSettingsChangesNothing() {
        createQueue();
        sent();
        assertThat(commit(new Create(TENANT, QUEUE, DEFAULTS))).isEqualTo(new Changed(0));
        assertThat(messages(QUEUE)).hasSize(1);
    }

    @Test
    final void creatingAQueueAgainWithOtherSettingsIsRefused() {
        createQueue();
        refused(Refusal.QUEUE_DIFFERS, new Create(TENANT, QUEUE, OTHER));
        assertThat(store.queues(TENANT)).contains(new Queue(QUEUE, DEFAULTS));
    }

    @Test
    final void anUpdateChangesTheQueueAndItsDeadLetters() {
        createQueue();
        assertThat(commit(new Update(TENANT, QUEUE, OTHER))).isEqualTo(new Changed(1));
        assertThat(store.queues(TENANT))
                .containsExactly(new Queue(QUEUE, OTHER), new Queue(QUEUE.deadLetters(), OTHER));
        assertThat(commit(new Update(TENANT, QUEUE, OTHER))).isEqualTo(new Changed(0));
        refused(Refusal.NO_SUCH_QUEUE, new Update(TENANT, MISSING, OTHER));
    }

    @Test
    final void figuresOfADeletedQueueAreNotThoseOfTheNext() {
        createQueue();
        sent();
        sent();
        commitTogether(
                new Purge(TENANT, QUEUE, 10),
                new Delete(TENANT, QUEUE),
                new Create(OTHER_TENANT, OTHER_QUEUE, DEFAULTS));
        assertThat(store.figures(OTHER_TENANT, OTHER_QUEUE)).contains(new QueueFigures(0, 0, 0, null, 0, 0, 0, 0, 0));
    }

    @Test
    final void newRetentionIsForMessagesSentFromNowOn() {
        createQueue();
        MessageId before = sent();
        commit(new Update(TENANT, QUEUE, OTHER));
        MessageId after = sent();
        assertThat(message(QUEUE, before).expiresAt()).isEqualTo(NOON.plus(DEFAULTS.retention()));
        assertThat(message(QUEUE, after).expiresAt()).isEqualTo(NOON.plus(HOUR));
    }

    @Test
    final void newRetriesAreForMessagesReceivedFromNowOn() {
        createQueue();
        MessageId id = sent();
        fate(retry(receiveOnly(), Duration.ZERO));
        commit(new Update(TENANT, QUEUE, OTHER));
        assertThat(received(1)).isEmpty();
        assertThat(messages(QUEUE.deadLetters())).extracting(row -> row.id()).containsExactly(id);
    }

    @Test
    final void aDeletedQueueIsGoneWithItsDeadLetters() {
        createQueue();
        assertThat(commit(new Delete(TENANT, QUEUE))).isEqualTo(new Changed(1));
        assertThat(store.queues(TENANT)).isEmpty();
        assertThat(store.figures(TENANT, QUEUE)).isEmpty();
        refused(Refusal.NO_SUCH_QUEUE, new Delete(TENANT, QUEUE));
        refused(Refusal.NO_SUCH_QUEUE, newMail().send(TENANT));
    }

    @Test
    final void aQueueThatHoldsAMessageIsNotDeleted() {
        createQueue();
        sent(newMail().delay(HOUR));
        refused(Refusal.QUEUE_NOT_EMPTY, new Delete(TENANT, QUEUE));
        commit(new Purge(TENANT, QUEUE, 10));
        commit(new Delete(TENANT, QUEUE));
        assertThat(store.queues(TENANT)).isEmpty();
    }

    @Test
    final void aQueueWithADeadLetterIsNotDeleted() {
        createQueue();
        deadLetter(newMail());
        refused(Refusal.QUEUE_NOT_EMPTY, new Delete(TENANT, QUEUE));
        assertThat(store.queues(TENANT)).hasSize(2);
    }

    @Test
    final void aQueueThatIsMadeAnewStartsWithNothing() {
        createQueue();
        sent(newMail().group("g"));
        fate(done(receiveOnly()));
        commit(new Delete(TENANT, QUEUE));
        createQueue();
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(0, 0, 0, null, 0, 0, 0, 0, 0));
    }

    @Test
    final void aDiscardedMessageIsGoneEvenFromItsReceiver() {
        createQueue();
        MessageId id = sent();
        Delivery delivery = receiveOnly();
        assertThat(commit(new Discard(TENANT, QUEUE, id))).isEqualTo(new Changed(1));
        leaseLost(done(delivery));
        assertThat(messages(QUEUE)).isEmpty();
        refused(Refusal.NO_SUCH_MESSAGE, new Discard(TENANT, QUEUE, id));
    }

    @Test
    final void aDiscardNamesTheQueueThatTheMessageIsIn() {
        createQueue();
        createQueue(OTHER_QUEUE, DEFAULTS);
        MessageId id = sent();
        refused(Refusal.NO_SUCH_MESSAGE, new Discard(TENANT, OTHER_QUEUE, id));
        refused(Refusal.NO_SUCH_MESSAGE, new Discard(TENANT, MISSING, id));
        assertThat(messages(QUEUE)).hasSize(1);
    }

    @Test
    final void aPurgeRemovesAtMostItsLimitLeasedOrNot() {
        createQueue();
        sent();
        sent(newMail().delay(HOUR));
        sent();
        Delivery delivery = receive(1).getFirst();
        assertThat(commit(new Purge(TENANT, QUEUE, 2))).isEqualTo(new Changed(2));
        assertThat(messages(QUEUE)).hasSize(1);
        assertThat(commit(new Purge(TENANT, QUEUE, 2))).isEqualTo(new Changed(1));
        assertThat(commit(new Purge(TENANT, QUEUE, 2))).isEqualTo(new Changed(0));
        leaseLost(done(delivery));
        refused(Refusal.NO_SUCH_QUEUE, new Purge(TENANT, MISSING, 1));
    }

    @Test
    final void aPurgeLeavesDeadLettersAlone() {
        createQueue();
        MessageId dead = deadLetter(newMail());
        sent();
        commit(new Purge(TENANT, QUEUE, 10));
        assertThat(messages(QUEUE.deadLetters())).extracting(row -> row.id()).containsExactly(dead);
    }

    @Test
    final void theFiguresSayWhereEveryMessageIs() {
        createQueue();
        sent(newMail().group("g"));
        sent(newMail().group("g"));
        sent(newMail().delay(HOUR));
        clock.move(MINUTE);
        sent();
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(3, 1, 0, NOON, 4, 0, 0, 0, 0));

        assertThat(receive(10)).hasSize(2);
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(1, 1, 2, NOON, 4, 0, 0, 0, 0));
    }

    @Test
    final void theOldestMessageIsTheOldestThatNobodyHolds() {
        createQueue();
        sent();
        clock.move(MINUTE);
        sent();
        receive(1);
        assertThat(store.figures(TENANT, QUEUE).orElseThrow().oldest()).isEqualTo(NOON.plus(MINUTE));
    }

    @Test
    final void theFiguresConserveWhateverBecomesOfTheMessages() {
        createQueue();
        for (int message = 0; message < 6; message++) {
            sent();
        }
        var deliveries = receive(4);
        fate(done(deliveries.get(0)));
        fate(retry(deliveries.get(1), HOUR));
        assertThat(fate(reject(deliveries.get(2)))).isEqualTo(Fate.DEAD_LETTERED);
        conserved(new QueueFigures(2, 1, 1, NOON, 6, 1, 1, 1, 0), QUEUE);
        conserved(new QueueFigures(1, 0, 0, NOON, 1, 0, 0, 0, 0), QUEUE.deadLetters());

        MessageId dead = deliveries.get(2).message().id();
        commit(new Redrive(TENANT, QUEUE.deadLetters(), dead));
        commit(new Discard(TENANT, QUEUE, deliveries.get(3).message().id()));
        conserved(new QueueFigures(3, 1, 0, NOON, 7, 2, 1, 1, 0), QUEUE);
        conserved(new QueueFigures(0, 0, 0, null, 1, 1, 0, 0, 0), QUEUE.deadLetters());
    }

    private void conserved(QueueFigures expected, QueueName queue) {
        QueueFigures figures = store.figures(TENANT, queue).orElseThrow();
        assertThat(figures).isEqualTo(expected);
        assertThat(figures.in())
                .isEqualTo(figures.ready()
                        + figures.delayed()
                        + figures.leased()
                        + figures.out()
                        + figures.deadLettered()
                        + figures.expired());
    }

    @Test
    final void aQueueThatIsNotThereHasNoFiguresAndNoSettings() {
        assertThat(store.figures(TENANT, MISSING)).isEmpty();
        assertThat(store.queue(TENANT, MISSING)).isEmpty();
        assertThatThrownBy(() -> messages(MISSING))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SUCH_QUEUE));
        expect(Outcome.Refused.class, new Purge(TENANT, MISSING, 1));
    }

    @Test
    final void oneQueueIsReadWithItsSettings() {
        createQueue();
        assertThat(store.queue(TENANT, QUEUE)).contains(new Queue(QUEUE, QueueSettings.defaults()));
        assertThat(store.queue(TENANT, QUEUE.deadLetters())).isPresent();
    }

    @Test
    final void aQueueThatIsMadeAgainKnowsNoneOfItsDeduplicationIds() {
        createQueue();
        sent(newMail().deduplicationId("d"));
        commit(new Purge(TENANT, QUEUE, 10));
        expect(Outcome.Changed.class, new Delete(TENANT, QUEUE));
        createQueue();
        MessageId again = sent(newMail().deduplicationId("d"));
        assertThat(received(10)).containsExactly(again);
    }
}
