package io.perdure.core.queue;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome.Fate;
import io.perdure.core.store.Outcome.SentMessage;
import io.perdure.core.store.Pending;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Receive;
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
public final class MessageQueue {
    /** How long settings that were read are taken to hold: a receive then costs no read of its own. */
    private static final Duration SETTINGS_FRESH = Duration.ofSeconds(5);

    private final Queues queues;
    private final QueueName name;
    private volatile Remembered remembered;

    MessageQueue(Queues queues, QueueName name, QueueSettings settings) {
        this.queues = queues;
        this.name = name;
        this.remembered = new Remembered(settings, queues.environment().nanoTime());
    }

    private record Remembered(QueueSettings settings, long nanos) {}

    public QueueName name() {
        return name;
    }

    /** Sends one message that is ready at once; {@code PD-003} where it is too large. */
    public SentMessage send(Json body) {
        return send(Outgoing.of(body));
    }

    /**
     * Sends one message. Refused where the queue is gone ({@code PD-401}) or does not allow the delay ({@code PD-405}). The
     * answer says whether it was added, or an earlier one with the same deduplication id stands for it.
     */
    public SentMessage send(Outgoing message) {
        return sendAll(List.of(message)).getFirst();
    }

    /** Sends up to 100 messages, all or none; answers in their order. */
    public List<SentMessage> sendAll(List<Outgoing> messages) {
        return sendLater(messages).await();
    }

    /**
     * Hands messages over to be sent, all or none, and returns at once, so that many sends share one flush to the disk. What is
     * wrong with the messages themselves is thrown here, everything else by {@link Sending#await}.
     */
    public Sending sendLater(List<Outgoing> messages) {
        queues.checkOpen();
        if (messages.isEmpty()) {
            return new Sending(List::of, () -> true);
        }
        boolean delayed = messages.stream().anyMatch(message -> message.delay().isPositive());
        Pending pending = queues.ledger()
                .hand(new Send(
                        queues.tenant(), messages.stream().map(this::addressed).toList()));
        return new Sending(
                () -> {
                    List<SentMessage> sent = Outcomes.sent(pending.await());
                    if (delayed) {
                        // Stores hint at what is ready, not at what will be: the waiters must learn when to look.
                        queues.waiters().call(name);
                    }
                    return sent;
                },
                pending::isDone);
    }

    private NewMessage addressed(Outgoing message) {
        return new NewMessage(
                queues.environment().ids().messageId(),
                name,
                message.body(),
                message.headers(),
                message.delay(),
                message.group(),
                message.deduplicationId());
    }

    /** Receives up to 10 messages that are there now. */
    public List<Delivery> receive() {
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
    public List<Delivery> receive(Receiving receiving) {
        queues.checkOpen();
        // Once for all looks: reading settings again at each would be most of what an idle receiver asks of its store.
        Duration length = receiving.visibility() == null ? settings().visibility() : receiving.visibility();
        // Every look is a request of its own: its lease needs a fresh token.
        return queues
                .waiters()
                .receive(name, receiving, () -> queues.store().receive(request(receiving.max(), length)))
                .stream()
                .map(delivery -> new Delivery(this, delivery))
                .toList();
    }

    private Receive request(int max, Duration length) {
        Lease lease = new Lease(queues.environment().ids().token(), length);
        return new Receive(queues.tenant(), name, max, lease);
    }

    private QueueSettings settings() {
        Remembered known = remembered;
        long now = queues.environment().nanoTime();
        if (now - known.nanos() >= SETTINGS_FRESH.toNanos()) {
            known = new Remembered(queues.settings(name), now);
            remembered = known;
        }
        return known.settings();
    }

    /** Says that the message was dealt with: it is gone for good when this returns. */
    public void ack(Receipt receipt) {
        settle(receipt, new Verdict.Done());
    }

    /**
     * Acknowledges deliveries, each on its own. Answers the receipts of those that came too late: their messages were settled
     * before or are with another receiver ({@code PD-406}).
     */
    public List<Receipt> ackAll(List<Delivery> deliveries) {
        return queues.ackAll(deliveries.stream().map(Delivery::receipt).toList());
    }

    /** Gives a message back; see {@link Delivery#retry(Duration, String)}. */
    public Fate retry(Receipt receipt, Duration delay, String error) {
        Fate fate = settle(receipt, new Verdict.Retry(delay, error));
        if (delay.isPositive()) {
            queues.waiters().call(name);
        }
        return fate;
    }

    /** Gives a message up; see {@link Delivery#reject}. */
    public Fate reject(Receipt receipt, String error) {
        return settle(receipt, new Verdict.Reject(error));
    }

    private Fate settle(Receipt receipt, Verdict verdict) {
        queues.checkOpen();
        return Outcomes.settled(queues.ledger().commit(new Settle(queues.tenant(), receipt, verdict)), receipt);
    }

    /** Makes a lease end so long from now, sooner or later than before; answers when, by the store's clock. */
    public Instant extend(Receipt receipt, Duration length) {
        queues.checkOpen();
        Extended extended = queues.store()
                .extend(List.of(new Extend(queues.tenant(), receipt, length)))
                .getFirst();
        // A lease that was cut short ends earlier than those who wait were told.
        queues.waiters().call(name);
        return switch (extended) {
            case Extended.Until(Instant time) -> time;
            case Extended.Lost _ -> throw Outcomes.leaseLost(receipt);
        };
    }

    @Override
    public String toString() {
        return name.value();
    }
}
