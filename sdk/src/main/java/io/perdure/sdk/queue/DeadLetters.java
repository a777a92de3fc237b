package io.perdure.sdk.queue;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The messages that a queue has given up: what to look at, and whether to have them delivered once more or to let them go. A
 * dead letter that is redriven joins its queue, and its group, at the end, and has all its deliveries before it again; how often it was
 * delivered before stays known ({@link Delivery#earlierAttempts}).
 *
 * <p>Safe for many threads. Whether somebody has received a dead letter makes no difference here: it is redriven or discarded
 * all the same, and its receiver comes too late.
 */
public interface DeadLetters {
    /** The queue that they are in, {@code <queue>.dlq}: it can be received from like any other. */
    MessageQueue queue();

    /**
     * The first of them, in the order in which they were given up, but for those that somebody has received: these come by when their
     * lease ends, or were given back. See {@link MessageQueue#messages(int)}.
     */
    default MessagePage list(int limit) {
        return queue().messages(limit);
    }

    /** The page that begins where another one ended; {@code PD-006} for what is no such place. */
    default MessagePage list(int limit, String after) {
        return queue().messages(limit, after);
    }

    /** Puts a dead letter back into the queue it came from; {@code PD-403} where there is none with this id. */
    void redrive(MessageId message);

    /** Puts dead letters back into the queue they came from, in this order, each on its own. */
    Redriven redrive(List<MessageId> messages);

    /**
     * Puts all of them back, in the order of {@link #list}. As long as nobody has received from the dead letters that is the order in which
     * they were given up, so that groups keep theirs. One that becomes a dead letter meanwhile, for the first time or again, stays where it
     * is. Where this breaks off, what was redriven stays so, and it can be called again.
     *
     * @return how many
     */
    default long redriveAll() {
        return redriveAll(_ -> {});
    }

    /**
     * The same.
     *
     * @param progress is told how many were redriven, after every few hundred that were looked at
     */
    long redriveAll(LongConsumer progress);

    /** The same for those whose body {@linkplain Json#contains contains} this part; {@code PD-007} where it is too much to look for. */
    default long redriveAll(Json matching) {
        return redriveAll(matching, _ -> {});
    }

    /** The same for those whose body {@linkplain Json#contains contains} this part, telling how far it has come. */
    long redriveAll(Json matching, LongConsumer progress);

    /** How many there are: kept up to date by the store, not counted. */
    default long count() {
        return queue().status().figures().depth();
    }

    /** How many there are whose body {@linkplain Json#contains contains} this part: every one is looked at. */
    long count(Json matching);

    /** Deletes a dead letter; {@code PD-403} where there is none with this id. */
    void discard(MessageId message);

    /** Deletes dead letters, each on its own. */
    Discarded discard(List<MessageId> messages);

    /** Deletes all of them, as {@link MessageQueue#purge} does; answers how many. */
    default long discardAll() {
        return queue().purge();
    }
}
