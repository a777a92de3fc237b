package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of messages that were given up. */
abstract class DeadLetterContract extends StoreFixture {
    private static final QueueName LETTERS = QUEUE.deadLetters();

    DeadLetterContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue();
    }

    private void redrive(MessageId id) {
        assertThat(commit(new Redrive(TENANT, LETTERS, id))).isEqualTo(new Outcome.Changed(1));
    }

    @Test
    final void aDeadLetterSaysWhereItWasWhyAndSinceWhen() {
        clock.move(MINUTE);
        MessageId id = deadLetter(newMail());
        DeadLetter letter = Objects.requireNonNull(message(LETTERS, id).deadLetter());
        assertThat(letter.origin()).isEqualTo(QUEUE);
        assertThat(letter.at()).isEqualTo(NOON.plus(MINUTE));
        assertThat(letter.reason()).isEqualTo(Reason.REJECTED);
        assertThat(letter.deliveries()).isEqualTo(1);
    }

    @Test
    final void aDeadLetterKeepsItsBodyItsHeadersAndWhenItWasSent() {
        Map<String, String> headers = Map.of("trace", "1");
        MessageId id = deadLetter(newMail().body("[1,2]").headers(headers).group("g"));
        MessageRow letter = message(LETTERS, id);
        assertThat(letter.queue()).isEqualTo(LETTERS);
        assertThat(letter.body().text()).isEqualTo("[1,2]");
        assertThat(letter.headers()).isEqualTo(headers);
        assertThat(letter.group()).isNotNull();
        assertThat(letter.sentAt()).isEqualTo(NOON);
        assertThat(letter.deliveries()).isZero();
    }

    @Test
    final void aDeadLetterIsKeptForItsOwnRetention() {
        clock.move(HOUR);
        MessageId id = deadLetter(newMail());
        assertThat(message(LETTERS, id).expiresAt())
                .isEqualTo(NOON.plus(HOUR).plus(QueueSettings.defaults().deadLetterRetention()));
    }

    @Test
    final void aRedrivenMessageIsDueInItsOldQueueAndCountedAnew() {
        MessageId id = deadLetter(newMail().body("7"));
        clock.move(HOUR);
        redrive(id);

        assertThat(messages(LETTERS)).isEmpty();
        MessageRow row = message(QUEUE, id);
        assertThat(row.body().text()).isEqualTo("7");
        assertThat(row.deliveries()).isZero();
        assertThat(row.earlierDeliveries()).isEqualTo(1);
        assertThat(row.lastError()).isEqualTo("never");
        assertThat(row.deadLetter()).isNull();
        assertThat(row.sentAt()).isEqualTo(NOON);
        assertThat(row.expiresAt())
                .isEqualTo(NOON.plus(HOUR).plus(QueueSettings.defaults().retention()));
        assertThat(receiveOnly().message().deliveries()).isEqualTo(1);
    }

    @Test
    final void aRedrivenMessageHasAllItsDeliveriesAgain() {
        MessageId id = deadLetter(newMail());
        redrive(id);
        int deliveries = QueueSettings.defaults().deliveries();
        for (int delivery = 1; delivery < deliveries; delivery++) {
            assertThat(fate(retry(receiveOnly(), Duration.ZERO))).isEqualTo(Fate.RETRIED);
        }
        assertThat(fate(retry(receiveOnly(), Duration.ZERO))).isEqualTo(Fate.DEAD_LETTERED);
        assertThat(message(LETTERS, id).earlierDeliveries()).isEqualTo(1);

        redrive(id);
        assertThat(message(QUEUE, id).earlierDeliveries()).isEqualTo(1 + deliveries);
    }

    @Test
    final void aRedriveTakesTheDeadLetterFromWhoeverHoldsIt() {
        MessageId id = deadLetter(newMail());
        Delivery held = receiveOnly(LETTERS);
        redrive(id);
        leaseLost(done(held));
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void whatIsNoDeadLetterIsNotRedriven() {
        MessageId alive = sent();
        refused(Refusal.NO_SUCH_MESSAGE, new Redrive(TENANT, LETTERS, alive));
        refused(Refusal.NO_SUCH_MESSAGE, new Redrive(TENANT, LETTERS, ids.messageId()));
        QueueName missing = new QueueName("missing").deadLetters();
        refused(Refusal.NO_SUCH_MESSAGE, new Redrive(TENANT, missing, alive));
        assertThat(received(1)).containsExactly(alive);
    }

    @Test
    final void aDeadLetterIsRedrivenOnce() {
        MessageId id = deadLetter(newMail());
        redrive(id);
        refused(Refusal.NO_SUCH_MESSAGE, new Redrive(TENANT, LETTERS, id));
        assertThat(messages(QUEUE)).hasSize(1);
    }

    @Test
    final void deadLettersAreReceivedAndSettledLikeMessages() {
        MessageId id = deadLetter(newMail());
        Delivery delivery = receiveOnly(LETTERS);
        assertThat(delivery.message().id()).isEqualTo(id);
        assertThat(delivery.message().deadLetter()).isNotNull();
        assertThat(receive(LETTERS, 1)).isEmpty();
        assertThat(fate(done(delivery))).isEqualTo(Fate.DONE);
        assertThat(messages(LETTERS)).isEmpty();
    }

    @Test
    final void aDeadLetterMayBeDeliveredForEver() {
        MessageId id = deadLetter(newMail());
        for (int delivery = 0; delivery < 20; delivery++) {
            assertThat(receiveOnly(LETTERS).message().id()).isEqualTo(id);
            clock.move(LEASE);
        }
        assertThat(fate(retry(receiveOnly(LETTERS), Duration.ZERO))).isEqualTo(Fate.RETRIED);
    }

    @Test
    final void aDeadLetterThatIsRejectedStaysWhereItIs() {
        MessageId id = deadLetter(newMail());
        assertThat(fate(reject(receiveOnly(LETTERS)))).isEqualTo(Fate.DEAD_LETTERED);
        assertThat(receiveOnly(LETTERS).message().id()).isEqualTo(id);
    }

    @Test
    final void aDeadLetterCanBeDiscarded() {
        MessageId id = deadLetter(newMail());
        assertThat(commit(new Discard(TENANT, LETTERS, id))).isEqualTo(new Outcome.Changed(1));
        assertThat(messages(LETTERS)).isEmpty();
    }

    @Test
    final void deadLettersOfOneGroupDoNotWaitForEachOther() {
        deadLetter(newMail().group("g"));
        deadLetter(newMail().group("g"));
        assertThat(receive(LETTERS, 10)).hasSize(2);
    }
}
