package io.perdure.core.queue;

import io.perdure.core.queue.Look.Looked;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome.Fate;
import io.perdure.core.store.Outcome.SentMessage;
import io.perdure.core.store.Pending;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Receive;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    private final Browsing browsing;
    private volatile Remembered remembered;

    MessageQueue(Queues queues, QueueName name, QueueSettings settings) {
        this(queues, name, new Remembered(settings, queues.environment().nanoTime()));
    }

    private MessageQueue(Queues queues, QueueName name, Remembered remembered) {
        this.queues = queues;
        this.name = name;
        this.browsing = new Browsing(queues, name);
        this.remembered = remembered;
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
        Duration delay =
                messages.stream().map(Outgoing::delay).max(Duration::compareTo).orElse(Duration.ZERO);
        Pending pending = queues.ledger()
                .hand(new Send(
                        queues.tenant(), messages.stream().map(this::addressed).toList()));
        return new Sending(
                () -> {
                    List<SentMessage> sent = Outcomes.sent(pending.await());
                    queues.readyAfter(delay, name);
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
        return deliveries(receive(receiving, matching(receiving.match()), new Dismissal()));
    }

    /** What looks for messages that contain this part, and keeps its place from one receive to the next; absent where any will do. */
    @Nullable
    Matching matching(@Nullable Json part) {
        return part == null ? null : new Matching(queues, name, part);
    }

    /** Receives until it is dismissed, by these looks where it asks by content. */
    Looked receive(Receiving receiving, @Nullable Matching matching, Dismissal dismissal) {
        queues.checkOpen();
        // Once for all looks: reading settings again at each would be most of what an idle receiver asks of its store.
        Duration length = receiving.visibility() == null ? knownSettings().visibility() : receiving.visibility();
        Look look = matching == null ? () -> look(receiving.max(), length) : matching.asking(receiving.max(), length);
        return queues.waiters().receive(name, receiving, look, dismissal);
    }

    List<Delivery> deliveries(Looked looked) {
        return looked.received().deliveries().stream()
                .map(delivery -> new Delivery(this, delivery))
                .toList();
    }

    private Looked look(int max, Duration length) {
        // Every look is a request of its own: its lease needs a fresh token.
        Lease lease = new Lease(queues.environment().ids().token(), length);
        long begun = queues.environment().nanoTime();
        return new Looked(queues.store().receive(new Receive(queues.tenant(), name, max, lease)), begun, false);
    }

    QueueSettings knownSettings() {
        Remembered known = remembered;
        long now = queues.environment().nanoTime();
        if (now - known.nanos() >= SETTINGS_FRESH.toNanos()) {
            return remember(queues.settings(name));
        }
        return known.settings();
    }

    private QueueSettings remember(QueueSettings settings) {
        remembered = new Remembered(settings, queues.environment().nanoTime());
        return settings;
    }

    /** Says that the message was dealt with: it is gone for good when this returns. */
    public void ack(Receipt receipt) {
        queues.settling().settle(receipt, new Verdict.Done());
    }

    /**
     * Acknowledges those of these deliveries that were not settled yet, each on its own. Answers the receipts of those that came too late:
     * their messages were settled before or are with another receiver ({@code PD-406}).
     */
    public List<Receipt> ackAll(List<Delivery> deliveries) {
        return queues.settling().settleOpen(deliveries, new Verdict.Done());
    }

    /**
     * Gives back those of these deliveries that were not settled yet, each on its own: acknowledge what was dealt with, then hand all of
     * them over here, and what was acknowledged stays so. Answers the receipts of those that came too late, as {@link #ackAll} does, but
     * not of what you have settled yourself ({@link Delivery#isSettled}).
     */
    public List<Receipt> retryAll(List<Delivery> deliveries, Duration delay, String error) {
        List<Delivery> open = deliveries.stream()
                .filter(delivery -> !delivery.isSettled())
                .distinct()
                .toList();
        List<Receipt> late = queues.settling().settleOpen(open, new Verdict.Retry(delay, error));
        queues.readyAfter(delay, name);
        return late;
    }

    /** Gives a message back; see {@link Delivery#retry(Duration, String)}. */
    public Fate retry(Receipt receipt, Duration delay, String error) {
        Fate fate = queues.settling().settle(receipt, new Verdict.Retry(delay, error));
        queues.readyAfter(delay, name);
        return fate;
    }

    /** Gives a message up; see {@link Delivery#reject}. */
    public Fate reject(Receipt receipt, String error) {
        return queues.settling().settle(receipt, new Verdict.Reject(error));
    }

    /** Gives a message back that was not begun; see {@link Delivery#release}. */
    public void release(Receipt receipt) {
        queues.settling().settle(receipt, new Verdict.Release());
    }

    /** Makes a lease end so long from now, sooner or later than before; answers when, by the store's clock. */
    public Instant extend(Receipt receipt, Duration length) {
        Instant until = queues.settling().extend(receipt, length);
        // A lease that was cut short ends earlier than those who wait were told.
        queues.waiters().call(name);
        return until;
    }

    /**
     * Looks at messages without receiving them, by when they are or become ready. {@code PD-007} for a limit that is not between
     * 1 and 10,000, {@code PD-401} where the queue is gone.
     */
    public MessagePage messages(int limit) {
        return browsing.page(limit, null);
    }

    /** The page that begins where another one ended, see {@link MessagePage#next}; {@code PD-006} for what is no such place. */
    public MessagePage messages(int limit, String after) {
        return browsing.page(limit, after);
    }

    /** Its settings as the store has them now; {@code PD-401} where the queue is gone. */
    public QueueSettings settings() {
        queues.checkOpen();
        return remember(queues.settings(name));
    }

    /** Its settings and figures as they are now; {@code PD-401} where the queue is gone. */
    public QueueStatus status() {
        queues.checkOpen();
        return queues.status(name);
    }

    /**
     * Changes its settings and those of its dead letters, for messages that are sent or received from now on; other processes take up to
     * 5 seconds to notice another visibility. {@code PD-401} where the queue is gone, {@code PD-008} for a queue of dead letters.
     *
     * @return whether anything changed
     */
    public boolean update(QueueSettings settings) {
        queues.checkOpen();
        boolean changed = Outcomes.changed(queues.ledger().commit(new Update(queues.tenant(), name, settings))) > 0;
        remember(settings);
        return changed;
    }

    /**
     * Deletes its messages, leased or not, those first that are or become ready first; as many as there were when this began, so that
     * it ends while others send. On Postgres what somebody else holds locked at that moment is left. Where it breaks off, what it has
     * deleted stays so.
     *
     * @return how many
     */
    public long purge() {
        long left = status().figures().depth();
        long purged = 0;
        boolean more = left > 0;
        while (more) {
            int step = (int) Math.min(left - purged, Limits.defaults().calls().sweepRows());
            int gone = Outcomes.changed(queues.ledger().commit(new Purge(queues.tenant(), name, step)));
            purged += gone;
            more = gone > 0 && purged < left;
        }
        return purged;
    }

    /**
     * Deletes the queue and its dead letters' queue. {@code PD-404} while either holds messages, {@code PD-401} where it is gone already,
     * {@code PD-008} for a queue of dead letters, which goes with its queue.
     */
    public void delete() {
        queues.checkOpen();
        Outcomes.changed(queues.ledger().commit(new Delete(queues.tenant(), name)));
    }

    /** The messages that this queue has given up; of a queue of dead letters, its own. */
    public DeadLetters deadLetters() {
        return new DeadLetters(
                queues, name.holdsDeadLetters() ? this : new MessageQueue(queues, name.deadLetters(), remembered));
    }

    @Override
    public String toString() {
        return name.value();
    }
}
