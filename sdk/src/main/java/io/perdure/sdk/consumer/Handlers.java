package io.perdure.sdk.consumer;

import io.perdure.sdk.consumer.Hand.Stop;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.MessageHandler;
import io.perdure.sdk.queue.RejectMessageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs a consumer's handlers, each on a thread of its own, as many at once as there may be, and says what became of their messages. The
 * next message takes a handler's place as soon as that has ended; the store is told afterwards, together with what others tell it at
 * that time. Whatever is thrown on the way, a message leaves the consumer's hands in the end.
 */
final class Handlers {
    private static final System.Logger LOG = Logs.of(Handlers.class);

    private final Environment environment;
    private final QueueName queue;
    private final ConsumeOptions options;
    private final MessageHandler handler;
    private final Hands hands;
    private final Answers answers;
    private final Runnable changed;
    private final Surroundings surroundings;

    /** Handlers that tell when there may be room for more, or nothing left to wait for. */
    Handlers(QueueConsumer.Setup setup, Hands hands, Answers answers, Runnable changed) {
        this.environment = setup.environment();
        this.queue = setup.backend().queue().name();
        this.options = setup.options();
        this.handler = setup.handler();
        this.hands = hands;
        this.answers = answers;
        this.changed = changed;
        this.surroundings = setup.surroundings();
    }

    /** Begins what there is room for. */
    void beginAll() {
        for (Hand hand = next(); hand != null; hand = next()) {
            Hand next = hand;
            start(next, () -> handle(next), () -> hands.ended(next));
        }
    }

    private @Nullable Hand next() {
        return hands.begin(environment.nanoTime());
    }

    /** Has a thread do something for a message. Where there can be none, the message is let go of, and its lease runs out. */
    private void start(Hand hand, Runnable task, Runnable otherwise) {
        try {
            environment.start("perdure-message-" + hand.delivery().id(), task);
        } catch (RuntimeException | Error e) {
            otherwise.run();
            letGo(hand, () -> {
                hand.lose();
                LOG.log(
                        Level.ERROR,
                        "No thread could be started for message "
                                + hand.delivery().id() + ", which is delivered again when its lease ends.",
                        e);
            });
        }
    }

    /**
     * Handles a message. Not where its lease was lost or may have run out while it waited: it is left to whoever receives it next. And not
     * where it was cut off meanwhile: then it was not begun.
     */
    private void handle(Hand hand) {
        long now = environment.nanoTime();
        boolean ours = hand.isHeld() && hand.isFresh(now);
        Verdict verdict = ours && hand.begin(now) ? verdict(hand) : new Verdict.Release();
        hands.ended(hand);
        letGo(hand, () -> {
            beginAll();
            changed.run();
            if (hand.conclude()) {
                if (ours) {
                    answer(hand, verdict);
                } else {
                    answers.lost(hand);
                }
            }
        });
    }

    /** Does the last thing for a message: it is out of hand then, whatever is thrown. */
    private void letGo(Hand hand, Runnable last) {
        try {
            last.run();
        } finally {
            hands.settled(hand);
            changed.run();
        }
    }

    /** Runs the handler; absent where it has settled the message itself. */
    private @Nullable Verdict verdict(Hand hand) {
        try {
            surroundings.enter(queue, hand.delivery());
            Throwable thrown = run(hand);
            return verdict(hand, thrown, hand.end());
        } catch (RuntimeException | Error e) {
            // Not of the handler, but of what is done around it: who writes the log may throw, too.
            return new Verdict.Retry(delay(hand), e.getClass().getName());
        } finally {
            surroundings.leave();
        }
    }

    private @Nullable Throwable run(Hand hand) {
        try {
            handler.handle(hand.delivery());
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    private @Nullable Verdict verdict(Hand hand, @Nullable Throwable thrown, Stop stop) {
        boolean settled = hand.delivery().isSettled();
        if (thrown == null) {
            return settled ? null : new Verdict.Done();
        }
        boolean rejected = thrown instanceof RejectMessageException;
        answers.failed(hand, thrown, rejected || stop == Stop.CLOSED);
        if (settled) {
            return null;
        }
        if (rejected) {
            return new Verdict.Reject(Thrown.message(thrown));
        }
        return switch (stop) {
            case NONE -> new Verdict.Retry(delay(hand), Thrown.text(thrown));
            case OVERDUE -> tookTooLong(hand);
            // Not the message's fault: it is as if it had not been begun.
            case CLOSED -> new Verdict.Release();
        };
    }

    /**
     * Interrupts a handler that has taken too long. What it says within a second counts. Then its message is given back, which until then
     * is leased: nobody handles it beside the old handler, if that heeds the interrupt. One that does not keeps its place until it ends.
     */
    void overdue(Hand hand) {
        long now = environment.nanoTime();
        if (!hand.interrupt(now) && hand.isStuck(now)) {
            giveBack(hand, tookTooLong(hand));
        }
    }

    private Verdict tookTooLong(Hand hand) {
        return new Verdict.Retry(
                delay(hand), "The handler was interrupted after %s.".formatted(options.handlerLimit()));
    }

    /** Gives a message back that nobody has begun to handle, or that its handler does not let go of. */
    void release(Hand hand) {
        giveBack(hand, new Verdict.Release());
    }

    /** Has a message given back by another thread, unless it is concluded already. */
    private void giveBack(Hand hand, Verdict verdict) {
        if (hand.conclude()) {
            hands.settling(hand);
            Runnable last = () -> answer(hand, hand.delivery().isSettled() ? null : verdict);
            start(hand, () -> letGo(hand, last), () -> {});
        }
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
        Duration delay = options.retryDelay().after(hand.delivery().attempts(), environment.random());
        return delay.compareTo(hand.maxDelay()) <= 0 ? delay : hand.maxDelay();
    }
}
