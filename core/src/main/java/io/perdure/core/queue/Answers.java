package io.perdure.core.queue;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.ConsumerFigures;
import io.perdure.sdk.queue.Fate;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells the store what became of a consumer's messages, counts, and logs what an operator should know: the first failure of a message, and
 * that it was given up. What the store cannot be told is logged too: such a message is delivered again when its lease ends. No line holds
 * what is in a message.
 */
final class Answers {
    private static final System.Logger LOG = System.getLogger(Answers.class.getPackageName());

    private final Queues queues;
    private final LocalQueue queue;
    private final LongAdder handled = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder deadLettered = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder lost = new LongAdder();

    Answers(Queues queues, LocalQueue queue) {
        this.queues = queues;
        this.queue = queue;
    }

    /** Tells the store and waits until that is durable. */
    void settle(Hand hand, Verdict verdict) {
        Receipt receipt = hand.delivery().receipt();
        try {
            Outcome outcome = commit(receipt, verdict);
            if (outcome instanceof Outcome.LeaseLost) {
                lost(hand);
                return;
            }
            Fate fate = Outcomes.settled(outcome, receipt);
            hand.delivery().settled();
            count(verdict, fate);
            logGivenUp(hand, verdict, fate);
        } catch (RuntimeException | Error e) {
            hand.lose();
            LOG.log(
                    Level.WARNING,
                    named(hand) + " could not be settled; unless it was all the same, it is delivered again when its"
                            + " lease ends. " + e);
        }
    }

    /** Tells the store, and where the delay is longer than it may be, once more with the longest. */
    private Outcome commit(Receipt receipt, Verdict verdict) {
        Outcome outcome = tell(receipt, verdict);
        if (verdict instanceof Verdict.Retry(Duration delay, String error)
                && outcome instanceof Outcome.Refused(Refusal why, var _)
                && why == Refusal.DELAY_TOO_LONG) {
            // The queue allowed more when the message was received.
            Duration allowed = queue.settings().maxDelay();
            Duration shorter = delay.compareTo(allowed) <= 0 ? delay : allowed;
            return tell(receipt, new Verdict.Retry(shorter, error));
        }
        return outcome;
    }

    private Outcome tell(Receipt receipt, Verdict verdict) {
        return queues.ledger().commit(queues.settling().commit(receipt, verdict));
    }

    private void count(Verdict verdict, Fate fate) {
        switch (verdict) {
            case Verdict.Done _ -> handled.increment();
            case Verdict.Reject _ -> rejected.increment();
            case Verdict.Release _ -> {
                // As if it had not been delivered.
            }
            case Verdict.Retry retry -> {
                queues.readyAfter(retry.delay(), queue.name());
                (fate == Fate.RETRIED ? retried : deadLettered).increment();
            }
        }
    }

    private void logGivenUp(Hand hand, Verdict verdict, Fate fate) {
        String error = switch (verdict) {
            case Verdict.Retry retry -> retry.error();
            case Verdict.Reject reject -> reject.error();
            case Verdict.Done _, Verdict.Release _ -> "";
        };
        String became = switch (fate) {
            case DEAD_LETTERED -> "is a dead letter";
            case DROPPED -> "was dropped";
            case DONE, RETRIED, RELEASED -> "";
        };
        if (!became.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    named(hand) + " " + became + ", given up in its delivery "
                            + hand.delivery().attempts() + ". " + error);
        }
    }

    /** A handler has thrown. That is worth a warning once for each message, unless it was to be expected. */
    void failed(Hand hand, Throwable thrown, boolean expected) {
        if (!expected && hand.delivery().lastError().isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    named(hand) + " failed in its delivery " + hand.delivery().attempts() + ". "
                            + Failure.text(thrown));
        }
        LOG.log(Level.DEBUG, () -> named(hand) + " failed.", thrown);
    }

    private String named(Hand hand) {
        return "Message " + hand.delivery().id() + " of queue \"" + queue + "\"";
    }

    /** A message that its handler has settled itself. */
    void settledByHandler() {
        handled.increment();
    }

    /** A message that is somebody else's, or gone. */
    void lost(Hand hand) {
        hand.lose();
        lost.increment();
        LOG.log(Level.DEBUG, () -> "The lease was lost. " + named(hand) + " is somebody else's, or gone.");
    }

    ConsumerFigures figures(int inHand) {
        return new ConsumerFigures(
                handled.sum(), retried.sum(), deadLettered.sum(), rejected.sum(), lost.sum(), inHand);
    }
}
