package io.perdure.sdk.queue;

import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A message that is leased to you until {@link #leasedUntil}. Say what became of it: {@link #ack}, {@link #retry()} or
 * {@link #reject}; say nothing and it is delivered again. What you did not come to you give back with {@link #release}. Whatever is said
 * after somebody else has received the message is {@code PD-406} and changes nothing.
 */
public final class Delivery {
    private final MessageQueue queue;
    private final Receipt receipt;
    private final MessageInfo message;
    private volatile Instant leasedUntil;
    private volatile boolean settled;

    /** A message that was received from this queue under this receipt. */
    public Delivery(MessageQueue queue, Receipt receipt, MessageInfo message) {
        this.queue = queue;
        this.receipt = receipt;
        this.message = message;
        this.leasedUntil = message.readyAt();
    }

    /** All that is known of the message. */
    public MessageInfo info() {
        return message;
    }

    public MessageId id() {
        return message.id();
    }

    public Json body() {
        return message.body();
    }

    public Map<String, String> headers() {
        return message.headers();
    }

    public Optional<GroupKey> group() {
        return Optional.ofNullable(message.group());
    }

    /** The how manieth delivery this is since the message was sent or redriven: 1 is the first. */
    public int attempts() {
        return message.deliveries();
    }

    /** How often it was delivered before it was last redriven; 0 where it never was. */
    public int earlierAttempts() {
        return message.earlierDeliveries();
    }

    /** When the message was first delivered, which may be now; deliveries as a dead letter do not count. */
    public Optional<Instant> firstDelivered() {
        return Optional.ofNullable(message.firstDelivered());
    }

    /** When the message was last delivered, which is now unless it is a dead letter: then, before it was given up. */
    public Optional<Instant> lastDelivered() {
        return Optional.ofNullable(message.lastDelivered());
    }

    /** What whoever gave the message back last said about why; empty where nobody did, or said nothing. */
    public Optional<String> lastError() {
        return Optional.ofNullable(message.lastError()).filter(error -> !error.isEmpty());
    }

    /** How the message became a dead letter; empty where it is none. */
    public Optional<DeadLetter> deadLetter() {
        return Optional.ofNullable(message.deadLetter());
    }

    /** What proves the lease: as text it can travel to another process, which then settles the message. */
    public Receipt receipt() {
        return receipt;
    }

    /** When the message was sent, by the store's clock. */
    public Instant sentAt() {
        return message.sentAt();
    }

    /** When the lease ends, by the store's clock, as far as this object was told. */
    public Instant leasedUntil() {
        return leasedUntil;
    }

    /** Whether this object, or a call it was given to, has said what became of the message, and was in time. */
    public boolean isSettled() {
        return settled;
    }

    /** Whoever settled the message by its receipt says so here, so that it is not settled twice. */
    public void settled() {
        settled = true;
    }

    /** Says that the message was dealt with: it is gone for good when this returns. */
    public void ack() {
        queue.ack(receipt);
        settled();
    }

    /** Gives the message back, to be delivered again at once; see {@link #retry(Duration, String)}. */
    public Fate retry() {
        return retry(Duration.ZERO, "");
    }

    /**
     * Gives the message back, to be delivered again after the delay ({@code PD-405} if the queue does not allow it). One that
     * used up its deliveries goes to the dead letters instead, or is dropped where the queue keeps none: the answer says.
     *
     * @param error why, for whoever looks at the message later; may be empty
     */
    public Fate retry(Duration delay, String error) {
        Fate fate = queue.retry(receipt, delay, error);
        settled();
        return fate;
    }

    /**
     * Gives the message back, and this delivery does not count. It is ready from now on, so behind what was ready before, unless it is the
     * head of its group, which waits for it. It keeps its expiry and the record of its deliveries.
     */
    public void release() {
        queue.release(receipt);
        settled();
    }

    /** Gives the message up now: it goes to the dead letters, or is dropped where the queue keeps none. */
    public Fate reject(String error) {
        Fate fate = queue.reject(receipt, error);
        settled();
        return fate;
    }

    /** Whoever keeps the lease was told that it ends then. */
    public void leasedUntil(Instant time) {
        leasedUntil = time;
    }

    /** Makes the lease end so long from now, sooner or later than before. */
    public void extend(Duration length) {
        leasedUntil = queue.extend(receipt, length);
    }

    @Override
    public String toString() {
        return "Delivery[id=%s, attempts=%s, leasedUntil=%s]".formatted(id(), attempts(), leasedUntil);
    }
}
