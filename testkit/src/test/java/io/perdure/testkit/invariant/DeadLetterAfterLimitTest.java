package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.Fate;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Given up after exactly so many deliveries. */
class DeadLetterAfterLimitTest {
    private final Invariant invariant = new DeadLetterAfterLimit();
    private final Scene scene = new Scene();

    @Test
    void deadLetterAfterTheLastDeliveryIsFine() {
        DeadLetter letter = letter(DeadLetter.Reason.DELIVERIES_USED_UP, 2);
        scene.queue(1, true).send(1).deliver(1, 1, TOKEN).deliver(1, 2, OTHER_TOKEN);
        scene.settle(1, OTHER_TOKEN, new Verdict.Retry(LEASE, "e"), new Outcome.Settled(Fate.DEAD_LETTERED));
        scene.lastLook().holds(JOBS.deadLetters(), 1, scene.row(1, JOBS.deadLetters(), 0, 0, letter));

        holds();
    }

    @Test
    void messageIsDeliveredTooOften() {
        scene.queue(0, true).send(1).deliver(1, 1, TOKEN).deliver(1, 2, OTHER_TOKEN);

        breaks("times of at most");
    }

    @Test
    void messageIsRetriedAfterItsLastDelivery() {
        scene.queue(0, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(LEASE, "e"), new Outcome.Settled(Fate.RETRIED));

        breaks("it was RETRIED");
    }

    @Test
    void messageIsGivenUpBeforeItsLastDelivery() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(LEASE, "e"), new Outcome.Settled(Fate.DEAD_LETTERED));

        breaks("it was DEAD_LETTERED");
    }

    @Test
    void deadLetterThatNobodyRejectedHasDeliveriesLeft() {
        DeadLetter letter = letter(DeadLetter.Reason.DELIVERIES_USED_UP, 1);
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).lastLook();
        scene.holds(JOBS.deadLetters(), 1, scene.row(1, JOBS.deadLetters(), 0, 0, letter));

        breaks("because of DELIVERIES_USED_UP, which is not so");
    }

    @Test
    void deadLetterIsCalledRejectedAndNobodyRejectedIt() {
        DeadLetter letter = letter(DeadLetter.Reason.REJECTED, 1);
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).lastLook();
        scene.holds(JOBS.deadLetters(), 1, scene.row(1, JOBS.deadLetters(), 0, 0, letter));

        breaks("because of REJECTED, which is not so");
    }

    @Test
    void deadLetterHasNoReason() {
        scene.queue(0, true).send(1).deliver(1, 1, TOKEN).lastLook();
        scene.holds(JOBS.deadLetters(), 1, scene.row(1, JOBS.deadLetters(), 1, 0, null));

        breaks("without a reason");
    }

    @Test
    void redriveForgetsTheDeliveriesBefore() {
        scene.queue(0, true).send(1).deliver(1, 1, TOKEN).deliver(scene.row(1, JOBS, 1, 0, null), OTHER_TOKEN);

        breaks("before its redrive");
    }

    @Test
    void releasedDeliveriesDoNotCount() {
        scene.queue(1, true).send(1);
        for (int time = 0; time < 5; time++) {
            UUID token = new UUID(10, time);
            scene.deliver(1, 1, token);
            release(token);
        }
        scene.deliver(1, 1, OTHER_TOKEN);

        holds();
    }

    @Test
    void releasedDeliveryIsCounted() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        release(TOKEN);
        scene.deliver(1, 2, OTHER_TOKEN);

        breaks("it was delivered 1 times, and says 2");
    }

    @Test
    void deliveryOfWhichNobodyHeardMayBeCounted() {
        scene.queue(3, true).send(1).loseReceive().deliver(1, 2, OTHER_TOKEN);

        holds();
    }

    @Test
    void deliveryOfWhichNobodyHeardBeforeItWasSentIsNotCounted() {
        scene.queue(3, true).loseReceive().send(1).deliver(1, 2, OTHER_TOKEN);

        breaks("it was delivered 1 times, and says 2");
    }

    @Test
    void deadLetterIsCalledRejectedAndTheRejectWasTurnedDown() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Reject("e"), new Outcome.LeaseLost(null))
                .lastLook();
        DeadLetter letter = letter(DeadLetter.Reason.REJECTED, 1);
        scene.holds(JOBS.deadLetters(), 1, scene.row(1, JOBS.deadLetters(), 0, 0, letter));

        breaks("because of REJECTED, which is not so");
    }

    @Test
    void deadLetterIsCalledRejectedAndTheRejectWasBeforeItsRedrive() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Reject("e"), new Outcome.Settled(Fate.DEAD_LETTERED));
        scene.commit(new QueueCommit.Redrive(ACME, JOBS.deadLetters(), message(1)), new Outcome.Changed(1));
        scene.deliver(scene.row(1, JOBS, 1, 1, null), OTHER_TOKEN).lastLook();
        DeadLetter letter = letter(DeadLetter.Reason.REJECTED, 1);
        scene.holds(JOBS.deadLetters(), 2, scene.row(1, JOBS.deadLetters(), 0, 1, letter));

        breaks("because of REJECTED, which is not so");
    }

    @Test
    void deadLetterIsGivenUpAfterItWasReleased() {
        scene.queue(1, true).send(1).deliver(1, 1, TOKEN);
        release(TOKEN);
        scene.deliver(1, 1, OTHER_TOKEN).lastLook();
        DeadLetter letter = letter(DeadLetter.Reason.DELIVERIES_USED_UP, 1);
        scene.holds(JOBS.deadLetters(), 1, scene.row(1, JOBS.deadLetters(), 0, 0, letter));

        breaks("because of DELIVERIES_USED_UP, which is not so");
    }

    @Test
    void lookingAtADeadLetterLeavesItsRecordAsItWas() {
        scene.queue(0, true).send(1).deliver(1, 1, TOKEN);
        DeadLetter letter = letter(DeadLetter.Reason.DELIVERIES_USED_UP, 1);
        scene.deliver(scene.row(1, JOBS.deadLetters(), 1, 0, letter), OTHER_TOKEN);
        scene.deliver(scene.row(1, JOBS.deadLetters(), 2, 0, letter), TOKEN);
        scene.deliver(scene.row(1, JOBS, 1, 1, null), OTHER_TOKEN);

        holds();
    }

    @Test
    void lookingAtADeadLetterCountsAsADelivery() {
        scene.queue(0, true).send(1).deliver(1, 1, TOKEN);
        DeadLetter letter = letter(DeadLetter.Reason.DELIVERIES_USED_UP, 1);
        scene.deliver(scene.row(1, JOBS.deadLetters(), 1, 0, letter), OTHER_TOKEN);
        scene.deliver(scene.row(1, JOBS, 1, 2, null), OTHER_TOKEN);

        breaks("and says 1 and 2 before its redrive");
    }

    private DeadLetter letter(DeadLetter.Reason reason, int deliveries) {
        return new DeadLetter(JOBS, reason, scene.now(), deliveries);
    }

    private void release(UUID token) {
        scene.settle(1, token, new Verdict.Release(), new Outcome.Settled(Fate.RELEASED));
    }

    @Test
    void bodyIsChanged() {
        MessageRow other = MessageRows.saying(scene.row(1, JOBS, 1, 0, null), Json.number(2));
        scene.queue(3, true).send(1).deliver(other, TOKEN);

        breaks("is now 2 {}");
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
