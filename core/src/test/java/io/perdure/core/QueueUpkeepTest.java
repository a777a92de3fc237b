package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is done to a queue as a whole: its settings, its emptying, its end. */
class QueueUpkeepTest extends PerdureFixture {
    private static final QueueSettings BRISK = QueueSettings.defaults().visibility(SECOND);

    @Test
    void changedSettingsHoldAtOnceForWhoChangedThem() {
        mail.send(BODY);

        assertThat(mail.update(BRISK)).isTrue();
        assertThat(mail.update(BRISK)).isFalse();

        assertThat(mail.settings()).isEqualTo(BRISK);
        assertThat(receiveOne(mail).leasedUntil())
                .isEqualTo(time.clock().instant().plus(SECOND));
        assertThat(perdure.queue("mail.dlq").settings()).isEqualTo(BRISK);
    }

    @Test
    void settingsAreThoseOfTheStore() {
        perdure.queue("mail").update(BRISK);

        assertThat(mail.settings()).isEqualTo(BRISK);
    }

    @Test
    void theStatusHasSettingsAndFigures() {
        mail.send(BODY);
        mail.send(Outgoing.of(BODY).delay(SECOND));

        assertThat(mail.status().name()).isEqualTo(mail.name());
        assertThat(mail.status().settings()).isEqualTo(QueueSettings.defaults());
        assertThat(mail.status().figures().ready()).isEqualTo(1);
        assertThat(mail.status().figures().delayed()).isEqualTo(1);
    }

    @Test
    void aPurgeRemovesAllWhateverItWaitsFor() {
        mail.send(BODY);
        receiveOne(mail);
        mail.send(BODY);
        mail.send(Outgoing.of(BODY).delay(SECOND));

        assertThat(mail.purge()).isEqualTo(3);
        assertThat(mail.purge()).isZero();

        assertThat(mail.messages(10).messages()).isEmpty();
        assertThat(figures("mail").out()).isEqualTo(3);
    }

    @Test
    void aPurgeLeavesTheDeadLetters() {
        mail.send(BODY);
        receiveOne(mail).reject("no");

        assertThat(mail.purge()).isZero();
        assertThat(figures("mail.dlq").ready()).isEqualTo(1);
    }

    @Test
    void anEmptyQueueIsDeletedWithItsDeadLetters() {
        mail.delete();

        assertThat(perdure.queues()).isEmpty();
        assertCode(ErrorCode.NO_SUCH_QUEUE, mail::delete);
        assertCode(ErrorCode.NO_SUCH_QUEUE, mail::settings);
        assertCode(ErrorCode.NO_SUCH_QUEUE, mail::status);
        assertCode(ErrorCode.NO_SUCH_QUEUE, mail::purge);
        assertCode(ErrorCode.NO_SUCH_QUEUE, () -> mail.update(BRISK));
        assertCode(ErrorCode.NO_SUCH_QUEUE, () -> mail.messages(1));
        assertCode(ErrorCode.NO_SUCH_QUEUE, () -> mail.receive(Receiving.upTo(1).matching(BODY)));
    }

    @Test
    void aQueueIsNotDeletedWhileItOrItsDeadLettersHoldMessages() {
        mail.send(BODY);
        assertCode(ErrorCode.QUEUE_NOT_EMPTY, mail::delete);

        receiveOne(mail).reject("no");
        assertCode(ErrorCode.QUEUE_NOT_EMPTY, mail::delete);

        mail.deadLetters().discardAll();
        mail.delete();
    }

    @Test
    void aQueueOfDeadLettersFollowsItsQueue() {
        var dead = mail.deadLetters().queue();

        assertCode(ErrorCode.MALFORMED_COMMIT, dead::delete);
        assertCode(ErrorCode.MALFORMED_COMMIT, () -> dead.update(BRISK));
        assertThat(dead.deadLetters().queue()).isSameAs(dead);
    }

    @Test
    void closingEndsTheUpkeepToo() {
        perdure.close();

        assertCode(ErrorCode.STORE_CLOSED, mail::settings);
        assertCode(ErrorCode.STORE_CLOSED, mail::status);
        assertCode(ErrorCode.STORE_CLOSED, mail::purge);
        assertCode(ErrorCode.STORE_CLOSED, mail::delete);
        assertCode(ErrorCode.STORE_CLOSED, () -> mail.messages(1));
        assertCode(ErrorCode.STORE_CLOSED, () -> mail.deadLetters().redriveAll());
    }

    @Test
    void aPurgeOfManyGoesInSteps() {
        for (int sent = 0; sent < 10_100; sent += 100) {
            mail.sendAll(IntStream.range(0, 100)
                    .mapToObj(number -> Outgoing.of(Json.number(number)).delay(Duration.ofHours(1)))
                    .toList());
        }

        assertThat(mail.purge()).isEqualTo(10_100);
    }
}
