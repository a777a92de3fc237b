package io.perdure.sdk.consumer;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RecordedException;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.logging.SparingLog;
import io.perdure.sdk.queue.ConsumerFigures;
import io.perdure.sdk.queue.Fate;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells the store what became of a consumer's messages, counts, and logs what an operator should know: the first failure of a message, and
 * that it was given up. What the store cannot be told is logged too: such a message is delivered again when its lease ends. No line holds
 * what is in a message. What a handler said of its failure may quote that: it is kept with the message, and in the log for debugging only.
 */
final class Answers {
    private final QueueBackend backend;
    private final SparingLog log;
    private final LongAdder handled = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder deadLettered = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder lost = new LongAdder();

    Answers(QueueBackend backend, Environment environment) {
        this.backend = backend;
        this.log = new SparingLog(Answers.class, environment);
    }

    /** Tells the store and waits until that is durable. */
    void settle(Hand hand, Verdict verdict) {
        Receipt receipt = hand.delivery().receipt();
        try {
            Fate fate = tell(receipt, verdict);
            hand.delivery().settled();
            count(verdict, fate);
            logGivenUp(hand, fate);
        } catch (RuntimeException | Error e) {
            if (isRefusal(e, ErrorCode.LEASE_LOST)) {
                lost(hand);
                return;
            }
            hand.lose();
            log.log(
                    Level.WARNING,
                    () -> named(hand)
                            + " could not be settled; unless it was all the same, it is delivered again when its"
                            + " lease ends. " + e);
        }
    }

    private static boolean isRefusal(Throwable thrown, ErrorCode code) {
        return thrown instanceof RefusedException refused && refused.code() == code;
    }

    /** Tells the store, and where the delay is longer than it may be, once more with the longest. */
    private Fate tell(Receipt receipt, Verdict verdict) {
        try {
            return backend.settle(receipt, verdict);
        } catch (RefusedException e) {
            if (verdict instanceof Verdict.Retry(Duration delay, String error)
                    && isRefusal(e, ErrorCode.DELAY_TOO_LONG)) {
                // The queue allowed more when the message was received.
                Duration allowed = backend.queue().settings().maxDelay();
                Duration shorter = delay.compareTo(allowed) <= 0 ? delay : allowed;
                return backend.settle(receipt, new Verdict.Retry(shorter, error));
            }
            throw e;
        }
    }

    private void count(Verdict verdict, Fate fate) {
        switch (verdict) {
            case Verdict.Done _ -> handled.increment();
            case Verdict.Reject _ -> rejected.increment();
            case Verdict.Release _ -> {
                // As if it had not been delivered.
            }
            case Verdict.Retry _ -> (fate == Fate.RETRIED ? retried : deadLettered).increment();
        }
    }

    private void logGivenUp(Hand hand, Fate fate) {
        String became = switch (fate) {
            case DEAD_LETTERED -> "is a dead letter";
            case DROPPED -> "was dropped";
            case DONE, RETRIED, RELEASED -> "";
        };
        if (!became.isEmpty()) {
            log.log(
                    Level.WARNING,
                    () -> named(hand) + " " + became + ", given up in its delivery "
                            + hand.delivery().attempts() + ".");
        }
    }

    /** A handler has thrown. That is worth a warning once for each message, unless it was to be expected. */
    void failed(Hand hand, Throwable thrown, boolean expected) {
        if (!expected && hand.delivery().lastError().isEmpty()) {
            log.logWith(
                    Level.WARNING,
                    () -> named(hand) + " failed in its delivery "
                            + hand.delivery().attempts() + ": "
                            + thrown.getClass().getName() + ".",
                    () -> RecordedException.withoutMessages(Failure.of(thrown)));
        }
        log.log(Level.DEBUG, () -> named(hand) + " failed.", thrown);
    }

    private String named(Hand hand) {
        return "Message " + hand.delivery().id() + " of queue \""
                + backend.queue().name() + "\"";
    }

    /** A message that its handler has settled itself. */
    void settledByHandler() {
        handled.increment();
    }

    /** A message that is somebody else's, or gone. */
    void lost(Hand hand) {
        hand.lose();
        lost.increment();
        log.log(Level.INFO, () -> "The lease was lost. " + named(hand) + " is somebody else's, or gone.");
    }

    ConsumerFigures figures(int inHand) {
        return new ConsumerFigures(
                handled.sum(), retried.sum(), deadLettered.sum(), rejected.sum(), lost.sum(), inHand);
    }
}
