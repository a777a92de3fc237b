package io.perdure.core.queue;

import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.retry.Backoff;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs a consumer's handlers, each on a thread of its own, as many at once as there may be, and says what became of their messages. The
 * next message takes a handler's place as soon as that has ended; the store is told afterwards, together with what others tell it at
 * that time.
 */
final class Handlers {
    private static final System.Logger LOG = System.getLogger(Handlers.class.getPackageName());

    private final Environment environment;
    private final MessageQueue queue;
    private final ConsumeOptions options;
    private final MessageHandler handler;
    private final Hands hands;
    private final Answers answers;
    private final Runnable changed;
    private final LoggedDelivery logged = new LoggedDelivery();

    /** Handlers that tell when there may be room for more, or nothing left to wait for. */
    Handlers(QueueConsumer.Setup setup, Hands hands, Answers answers, Runnable changed) {
        this.environment = setup.queues().environment();
        this.queue = setup.queue();
        this.options = setup.options();
        this.handler = setup.handler();
        this.hands = hands;
        this.answers = answers;
        this.changed = changed;
    }

    /** Begins what there is room for. A message whose lease may have run out while it waited is left to whoever receives it next. */
    void beginAll() {
        for (Hand hand = hands.begin(); hand != null; hand = hands.begin()) {
            Hand next = hand;
            if (next.isFresh(environment.nanoTime())) {
                start(next, () -> handle(next));
            } else {
                hands.ended(next);
                answers.lost(next);
                hands.settled();
            }
        }
    }

    private void start(Hand hand, Runnable task) {
        try {
            environment.start("perdure-message-" + hand.delivery().id(), task);
        } catch (RuntimeException | Error e) {
            hands.ended(hand);
            hands.settled();
            LOG.log(
                    Level.ERROR,
                    "Message " + hand.delivery().id()
                            + " could not be begun, and is delivered again when its lease ends.",
                    e);
        }
    }

    private void handle(Hand hand) {
        Verdict verdict = verdict(hand);
        hands.ended(hand);
        beginAll();
        changed.run();
        if (hand.conclude()) {
            answer(hand, verdict);
        }
        hands.settled();
        changed.run();
    }

    /** Runs the handler; absent where it has settled the message itself. */
    private @Nullable Verdict verdict(Hand hand) {
        Throwable thrown = run(hand);
        boolean cutOff = hand.end();
        if (thrown != null) {
            LOG.log(Level.DEBUG, "The handling of message " + hand.delivery().id() + " failed.", thrown);
        }
        if (hand.delivery().isSettled()) {
            return null;
        }
        return switch (thrown) {
            case null -> new Verdict.Done();
            case RejectMessageException reject -> new Verdict.Reject(reasonOf(reject));
            // Not the message's fault: it is as if it had not been begun.
            case Throwable _ when cutOff -> new Verdict.Release();
            case Throwable other -> new Verdict.Retry(delay(hand), text(other));
        };
    }

    private @Nullable Throwable run(Hand hand) {
        logged.enter(queue, hand.delivery());
        hand.begin(environment.nanoTime());
        try {
            handler.handle(hand.delivery());
            return null;
        } catch (Throwable thrown) {
            return thrown;
        } finally {
            logged.leave();
        }
    }

    /** Gives the message of a handler back that has taken too long, and interrupts it. It keeps its place until it ends. */
    void overdue(Hand hand) {
        String error = "The handler was interrupted after %s.".formatted(options.handlerLimit());
        if (giveBack(hand, new Verdict.Retry(delay(hand), error))) {
            hand.interrupt();
        }
    }

    /** Gives a message back that nobody has begun to handle, or that its handler does not let go of. */
    void release(Hand hand) {
        giveBack(hand, new Verdict.Release());
    }

    /** Has a message given back by another thread; false where it is concluded already. */
    private boolean giveBack(Hand hand, Verdict verdict) {
        if (!hand.conclude()) {
            return false;
        }
        hands.settling();
        environment.start("perdure-message-" + hand.delivery().id(), () -> {
            answer(hand, hand.delivery().isSettled() ? null : verdict);
            hands.settled();
            changed.run();
        });
        return true;
    }

    private void answer(Hand hand, @Nullable Verdict verdict) {
        if (verdict == null) {
            answers.settledByHandler();
        } else {
            answers.settle(hand, verdict);
        }
    }

    /** A lease was lost. A message whose handler has not begun is dropped; else the handler goes on, and its answer comes too late. */
    void lost(Hand hand) {
        hand.lose();
        if (hands.drop(hand)) {
            answers.lost(hand);
            changed.run();
        }
    }

    private Duration delay(Hand hand) {
        Backoff backoff = options.retryDelay();
        if (backoff == null) {
            return Duration.ZERO;
        }
        Duration delay = backoff.after(hand.delivery().attempts(), environment.random());
        return delay.compareTo(hand.maxDelay()) <= 0 ? delay : hand.maxDelay();
    }

    private static String reasonOf(RejectMessageException reject) {
        return reject.getMessage() == null ? "" : reject.getMessage();
    }

    private static String text(Throwable thrown) {
        String type = thrown.getClass().getName();
        return thrown.getMessage() == null ? type : type + ": " + thrown.getMessage();
    }
}
