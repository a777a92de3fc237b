package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.PLAIN;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.advance;
import static io.perdure.testkit.invariant.Scene.message;
import static io.perdure.testkit.invariant.Scene.startOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing is handed out before its time. */
class NeverBeforeDueTest {
    private final Invariant invariant = new NeverBeforeDue();
    private final Scene scene = new Scene();

    @Test
    void deliveriesAfterTheDelayAndAfterTheLeaseAreFine() {
        scene.queue(3, true)
                .send(1, Duration.ofSeconds(5))
                .after(Duration.ofSeconds(5))
                .deliver(1, 1, TOKEN);
        scene.after(LEASE).deliver(1, 2, OTHER_TOKEN);

        holds();
    }

    @Test
    void deliver_oneLeaseAfterTheClockWentBack_isFine() {
        scene.queue(3, true).send(1).after(LEASE.multipliedBy(4)).deliver(1, 1, TOKEN);
        scene.after(LEASE.plusSeconds(1).negated()).send(2);
        scene.after(LEASE).deliver(1, 2, OTHER_TOKEN);

        holds();
    }

    @Test
    void deliver_rightAfterTheClockWentBack_breaks() {
        scene.queue(3, true).send(1).after(LEASE.multipliedBy(4)).deliver(1, 1, TOKEN);
        scene.after(LEASE.plusSeconds(1).negated()).send(2).deliver(1, 2, OTHER_TOKEN);

        breaks("while a lease of it lasted");
    }

    @Test
    void claim_rightAfterTheClockWentBack_breaks() {
        scene.start().claim(TOKEN).after(LEASE.multipliedBy(3).negated()).claim(OTHER_TOKEN);

        breaks("while a lease of it lasted");
    }

    @Test
    void messageIsDeliveredBeforeItsDelayIsOver() {
        scene.queue(3, true)
                .send(1, Duration.ofSeconds(5))
                .after(Duration.ofSeconds(4))
                .deliver(1, 1, TOKEN);

        breaks("and due at");
    }

    @Test
    void messageIsDeliveredWhileItIsLeased() {
        scene.queue(3, true)
                .send(1)
                .deliver(1, 1, TOKEN)
                .after(Duration.ofSeconds(4))
                .deliver(1, 2, OTHER_TOKEN);

        breaks("while a lease of it lasted");
    }

    @Test
    void messageIsDeliveredWhileItIsLeasedAndSomebodyDidNotHearOfAReceive() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.loseReceive().after(Duration.ofSeconds(4)).deliver(1, 3, OTHER_TOKEN);

        breaks("while a lease of it lasted");
    }

    @Test
    void messageIsDeliveredBeforeItsDelayIsOverAndSomebodyDidNotHearOfAReceive() {
        scene.queue(3, true).loseReceive().send(1, LEASE).loseReceive();
        scene.deliver(1, 2, TOKEN);

        breaks("and due at");
    }

    @Test
    void leaseOfWhichNobodyHeardMayHaveRunOutBecauseTheClockWentBack() {
        scene.queue(3, true).send(1, LEASE).after(LEASE.multipliedBy(3)).loseReceive();
        scene.after(LEASE.multipliedBy(3).negated()).deliver(1, 2, TOKEN);

        holds();
    }

    @Test
    void messageIsDeliveredWhileItsLeaseWasExtended() {
        Extend extend = new Extend(ACME, new Receipt(message(1), TOKEN), LEASE);
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).after(Duration.ofSeconds(4));
        scene.note(new Fact.LeaseExtended(extend, new Extended.Until(scene.now().plus(LEASE))));
        scene.after(Duration.ofSeconds(7)).deliver(1, 2, OTHER_TOKEN);

        breaks("while a lease of it lasted");
    }

    @Test
    void deliver_whileALeaseThatWasExtendedTwiceLasts_breaks() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        extendTwice(new Extend(ACME, new Receipt(message(1), TOKEN), LEASE));
        scene.deliver(1, 2, OTHER_TOKEN);

        breaks("while a lease of it lasted");
    }

    @Test
    void claim_whileALeaseThatWasExtendedTwiceLasts_breaks() {
        scene.start().claim(TOKEN);
        extendTwice(new Extend(ACME, new Receipt(MessageId.of(RUN), TOKEN), LEASE));
        scene.claim(OTHER_TOKEN);

        breaks("while a lease of it lasted");
    }

    @Test
    void messageIsDeliveredBeforeItsRetryIsDue() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(LEASE, "e"), new Outcome.Settled(Fate.RETRIED));
        scene.after(Duration.ofSeconds(4)).deliver(1, 2, OTHER_TOKEN);

        breaks("its retry was due");
    }

    @Test
    void runIsClaimedWhileItIsLeased() {
        scene.start().claim(TOKEN).after(Duration.ofSeconds(4)).claim(OTHER_TOKEN);

        breaks("while a lease of it lasted");
    }

    @Test
    void delayedRunIsClaimedTooEarly() {
        scene.commit(startOf(RUN, PLAIN, Due.in(LEASE)), new Outcome.Started(scene.now(), null))
                .claim(TOKEN);

        breaks("and due at");
    }

    @Test
    void releasedRunIsClaimedTooEarly() {
        Release release = Release.until(Due.in(LEASE));
        scene.start()
                .claim(TOKEN)
                .commit(advance(TOKEN, 1, release, List.of()), new Outcome.Appended(List.of(), RunStatus.RUNNING))
                .claim(OTHER_TOKEN);

        breaks("and due at");
    }

    /** Each time when little of the lease is left. */
    private void extendTwice(Extend extend) {
        for (int time = 0; time < 2; time++) {
            scene.after(LEASE.minusSeconds(1));
            scene.note(new Fact.LeaseExtended(
                    extend, new Extended.Until(scene.now().plus(LEASE))));
        }
        scene.after(Duration.ofSeconds(2));
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
