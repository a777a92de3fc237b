package io.perdure.core.queue;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.id.Receipt;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells the store what became of a consumer's messages, and counts. What cannot be told is logged: such a message is delivered again when its
 * lease ends.
 */
final class Answers {
    private static final System.Logger LOG = System.getLogger(Answers.class.getPackageName());

    private final Queues queues;
    private final MessageQueue queue;
    private final LongAdder handled = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder lost = new LongAdder();

    Answers(Queues queues, MessageQueue queue) {
        this.queues = queues;
        this.queue = queue;
    }

    /** Tells the store and waits until that is durable. */
    void settle(Hand hand, Verdict verdict) {
        Receipt receipt = hand.delivery().receipt();
        try {
            Outcome outcome = queues.ledger().commit(queues.settling().commit(receipt, verdict));
            if (Outcomes.isLost(outcome, receipt)) {
                lost(hand);
                return;
            }
            hand.delivery().settled();
            count(verdict);
        } catch (RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "Message " + receipt.message() + " of queue \"" + queue
                            + "\" could not be settled; unless it was all the same, it is delivered again when its lease"
                            + " ends. " + e);
        }
    }

    private void count(Verdict verdict) {
        switch (verdict) {
            case Verdict.Done _ -> handled.increment();
            case Verdict.Reject _ -> rejected.increment();
            case Verdict.Release _ -> {
                // As if it had not been delivered.
            }
            case Verdict.Retry retry -> {
                if (retry.delay().isPositive()) {
                    // Stores hint at what is ready, not at what will be: the waiters must learn when to look.
                    queues.waiters().call(queue.name());
                }
                retried.increment();
            }
        }
    }

    /** A message that its handler has settled itself. */
    void settledByHandler() {
        handled.increment();
    }

    /** A message that is somebody else's, or gone. */
    void lost(Hand hand) {
        lost.increment();
        LOG.log(
                Level.DEBUG,
                "The lease of message {0} of queue \"{1}\" was lost.",
                hand.delivery().id(),
                queue);
    }

    ConsumerFigures figures(int inHand) {
        return new ConsumerFigures(handled.sum(), retried.sum(), rejected.sum(), lost.sum(), inHand);
    }
}
