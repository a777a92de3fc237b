package io.perdure.sdk.queue;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One queue. Delivery is at least once: a receiver that dies, or takes longer than its lease, will see the message delivered
 * again, to it or to another. A dead-letter queue is received from like any other; sends to it are refused ({@code PD-008}).
 *
 * <p>Safe for many threads. A verb has happened for good when it returns. Where it throws {@code PD-201} nobody knows whether
 * it happened; with another code it did not.
 */
public interface MessageQueue {
    QueueName name();

    /** Sends one message that is ready at once; {@code PD-003} where it is too large. */
    default SentMessage send(Json body) {
        return send(Outgoing.of(body));
    }

    /**
     * Sends one message. Refused where the queue is gone ({@code PD-401}) or does not allow the delay ({@code PD-405}). The
     * answer says whether it was added, or an earlier one with the same deduplication id stands for it.
     */
    default SentMessage send(Outgoing message) {
        return sendAll(List.of(message)).getFirst();
    }

    /** Sends up to 100 messages, all or none; answers in their order. */
    default List<SentMessage> sendAll(List<Outgoing> messages) {
        return sendLater(messages).await();
    }

    /**
     * Hands messages over to be sent, all or none, and returns at once, so that many sends share one flush to the disk. What is
     * wrong with the messages themselves is thrown here, everything else by {@link Sending#await}.
     */
    Sending sendLater(List<Outgoing> messages);

    /** Receives up to 10 messages that are there now. */
    default List<Delivery> receive() {
        return receive(Receiving.defaults());
    }

    /**
     * Receives messages and leases them to the caller. Where there is none it waits as long as it was told, woken by the first
     * message that becomes ready: sent, given back, no longer delayed, or left behind by a lease that ended. Empty when the time
     * is over. {@code PD-401} where the queue is gone, {@code PD-203} when the engine is closed meanwhile.
     *
     * <p>An interrupted thread does not wait: the answer is what is there, or empty, and the thread's interrupt flag stays
     * set. No message is leased that is not answered, so an interrupt loses none.
     */
    List<Delivery> receive(Receiving receiving);

    /** Says that the message was dealt with: it is gone for good when this returns. */
    void ack(Receipt receipt);

    /**
     * Acknowledges those of these deliveries that were not settled yet, each on its own. Answers the receipts of those that came too late:
     * their messages were settled before or are with another receiver ({@code PD-406}).
     */
    List<Receipt> ackAll(List<Delivery> deliveries);

    /**
     * Gives back those of these deliveries that were not settled yet, each on its own: acknowledge what was dealt with, then hand all of
     * them over here, and what was acknowledged stays so. Answers the receipts of those that came too late, as {@link #ackAll} does, but
     * not of what you have settled yourself ({@link Delivery#isSettled}).
     */
    List<Receipt> retryAll(List<Delivery> deliveries, Duration delay, String error);

    /** Gives a message back; see {@link Delivery#retry(Duration, String)}. */
    Fate retry(Receipt receipt, Duration delay, String error);

    /** Gives a message up; see {@link Delivery#reject}. */
    Fate reject(Receipt receipt, String error);

    /** Gives a message back that was not begun; see {@link Delivery#release}. */
    void release(Receipt receipt);

    /** Makes a lease end so long from now, sooner or later than before; answers when, by the store's clock. */
    Instant extend(Receipt receipt, Duration length);

    /**
     * Looks at messages without receiving them, by when they are or become ready. {@code PD-007} for a limit that is not between
     * 1 and 10,000, {@code PD-401} where the queue is gone.
     */
    MessagePage messages(int limit);

    /** The page that begins where another one ended, see {@link MessagePage#next}; {@code PD-006} for what is no such place. */
    MessagePage messages(int limit, String after);

    /** Its settings as the store has them now; {@code PD-401} where the queue is gone. */
    QueueSettings settings();

    /** Its settings and figures as they are now; {@code PD-401} where the queue is gone. */
    QueueStatus status();

    /**
     * Changes its settings and those of its dead letters, for messages that are sent or received from now on; other processes take up to
     * 5 seconds to notice another visibility. {@code PD-401} where the queue is gone, {@code PD-008} for a queue of dead letters.
     *
     * @return whether anything changed
     */
    boolean update(QueueSettings settings);

    /**
     * Deletes its messages, leased or not, those first that are or become ready first; as many as there were when this began, so that
     * it ends while others send. On Postgres what somebody else holds locked at that moment is left. Where it breaks off, what it has
     * deleted stays so.
     *
     * @return how many
     */
    long purge();

    /**
     * Deletes the queue and its dead letters' queue. {@code PD-404} while either holds messages, {@code PD-401} where it is gone already,
     * {@code PD-008} for a queue of dead letters, which goes with its queue.
     */
    void delete();

    /** The messages that this queue has given up; of a queue of dead letters, its own. */
    DeadLetters deadLetters();
}
