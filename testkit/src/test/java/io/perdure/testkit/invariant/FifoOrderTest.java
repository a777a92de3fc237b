package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.message;
import static io.perdure.testkit.invariant.Scene.newMessage;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Fate;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A group goes one at a time, in order. */
class FifoOrderTest {
    private final Invariant invariant = new FifoOrder();
    private final Scene scene = new Scene();

    @Test
    void headThenNextIsFine() {
        scene.queue(3, true)
                .send(1)
                .send(2)
                .deliver(1, 1, TOKEN)
                .deliver(1, 2, TOKEN)
                .done(1, TOKEN)
                .deliver(2, 1, TOKEN);

        holds();
    }

    @Test
    void deadLetteredHeadUnblocksItsGroup() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Reject("e"), new Outcome.Settled(Fate.DEAD_LETTERED))
                .deliver(2, 1, TOKEN);

        holds();
    }

    @Test
    void secondIsDeliveredBeforeTheFirst() {
        scene.queue(3, true).send(1).send(2).deliver(2, 1, TOKEN);

        breaks("which was sent first");
    }

    @Test
    void secondOfOneSendIsDeliveredBeforeTheFirst() {
        List<NewMessage> both = List.of(newMessage(1, Duration.ZERO), newMessage(2, Duration.ZERO));
        scene.queue(3, true)
                .commit(
                        new QueueCommit.Send(ACME, both),
                        new Outcome.Sent(List.of(
                                new Outcome.SentMessage(message(1), true), new Outcome.SentMessage(message(2), true))))
                .deliver(2, 1, TOKEN);

        breaks("which was sent first");
    }

    @Test
    void secondIsDeliveredWhileTheFirstIsLeased() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN).deliver(2, 1, OTHER_TOKEN);

        breaks("was not settled");
    }

    @Test
    void secondIsDeliveredWhileTheFirstWaitsForItsRetry() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(LEASE, "e"), new Outcome.Settled(Fate.RETRIED))
                .deliver(2, 1, TOKEN);

        breaks("was not settled");
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
