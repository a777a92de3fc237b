package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.ZETA;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Fate;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.QueueFigures;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No message is in two places or in none. */
class MessageConservationTest {
    private final Invariant invariant = new MessageConservation();
    private final Scene scene = new Scene();

    @Test
    void messagesThatAreDoneOrStillThereAreFine() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN).done(1, TOKEN).lastLook();
        scene.holds(JOBS, 2, scene.row(2, JOBS, 1, 0, null));

        holds();
    }

    @Test
    void acceptedMessageIsNowhere() {
        scene.queue(3, true).send(1).lastLook().holds(JOBS, 1);

        breaks("accepted, never settled, and is nowhere");
    }

    @Test
    void retriedMessageIsNowhere() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(Duration.ZERO, "e"), new Outcome.Settled(Fate.RETRIED));
        scene.lastLook().holds(JOBS, 1);

        breaks("accepted, never settled, and is nowhere");
    }

    @Test
    void messageIsInItsQueueAndAmongTheDeadLetters() {
        MessageRow.DeadLetter letter = new MessageRow.DeadLetter(JOBS, MessageRow.Reason.REJECTED, scene.now());
        scene.queue(3, true).send(1).lastLook().holds(JOBS, 1, scene.row(1, JOBS, 1, 0, null));
        scene.holds(JOBS.deadLetters(), 1, scene.row(1, JOBS.deadLetters(), 1, 0, letter));

        breaks("[jobs, jobs.dlq] at once");
    }

    @Test
    void messageIsInItsQueueTwice() {
        MessageRow row = scene.row(1, JOBS, 1, 0, null);
        scene.queue(3, true).send(1).lastLook().holds(JOBS, 2, row, row);

        breaks("in jobs twice");
    }

    @Test
    void figuresDoNotAddUp() {
        scene.note(new Fact.QueueRead(ACME, JOBS, List.of(), new QueueFigures(0, 0, 0, null, 3, 1, 0, 1, 0)));

        breaks("came in, QueueFigures");
    }

    @Test
    void figuresAndMessagesDisagree() {
        scene.note(new Fact.QueueRead(ACME, JOBS, List.of(), new QueueFigures(1, 0, 0, null, 1, 0, 0, 0, 0)));

        breaks("and says QueueFigures");
    }

    @Test
    void queueTookInLessThanItAccepted() {
        scene.queue(3, true)
                .send(1)
                .send(2)
                .deliver(1, 1, TOKEN)
                .done(1, TOKEN)
                .deliver(2, 1, TOKEN)
                .done(2, TOKEN);
        scene.lastLook().holds(JOBS, 1);

        breaks("took in 1");
    }

    @Test
    void messagesOfAnotherTenantDoNotMakeUpForThoseThatAreMissing() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN).done(1, TOKEN);
        QueueFigures foreign = new QueueFigures(0, 0, 0, null, 5, 5, 0, 0, 0);
        scene.lastLook().holds(JOBS, 1, scene.row(2, JOBS, 1, 0, null));
        scene.note(new Fact.QueueRead(ZETA, JOBS, List.of(), foreign));

        breaks("took in 1");
    }

    private void holds() {
        assertThat(scene.judgedBy(invariant)).isEmpty();
    }

    private void breaks(String how) {
        assertThat(scene.judgedBy(invariant))
                .allMatch(violation -> violation.number() == invariant.number())
                .anyMatch(violation -> violation.seen().contains(how));
    }
}
