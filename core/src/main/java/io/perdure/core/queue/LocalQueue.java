package io.perdure.core.queue;

import io.perdure.core.queue.Look.Looked;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Pending;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.Sending;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue of this process's store: changes go through the ledger, and receivers wait with all others of this process. */
final class LocalQueue implements MessageQueue {
    /** How long settings that were read are taken to hold: a receive then costs no read of its own. */
    private static final Duration SETTINGS_FRESH = Duration.ofSeconds(5);

    /** Messages that a purge removes in one commit: other commits to a file wait for it. */
    private static final int PURGED_AT_ONCE = 1_000;

    private final Queues queues;
    private final QueueName name;
    private final Browsing browsing;
    private volatile Remembered remembered;

    LocalQueue(Queues queues, QueueName name, QueueSettings settings) {
        this(queues, name, new Remembered(settings, queues.environment().nanoTime()));
    }

    private LocalQueue(Queues queues, QueueName name, Remembered remembered) {
        this.queues = queues;
        this.name = name;
        this.browsing = new Browsing(queues, name);
        this.remembered = remembered;
    }

    private record Remembered(QueueSettings settings, long nanos) {}

    @Override
    public QueueName name() {
        return name;
    }

    @Override
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

    @Override
    public List<Delivery> receive(Receiving receiving) {
        return deliveries(
                receive(receiving, matching(receiving.match()), queues.waiters().caller()));
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
                .map(delivery -> new Delivery(
                        this, delivery.receipt(), delivery.message().info()))
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

    @Override
    public void ack(Receipt receipt) {
        queues.settling().settle(receipt, new Verdict.Done());
    }

    @Override
    public List<Receipt> ackAll(List<Delivery> deliveries) {
        return queues.settling().settleOpen(deliveries, new Verdict.Done());
    }

    @Override
    public List<Receipt> retryAll(List<Delivery> deliveries, Duration delay, String error) {
        List<Delivery> open = deliveries.stream()
                .filter(delivery -> !delivery.isSettled())
                .distinct()
                .toList();
        List<Receipt> late = queues.settling().settleOpen(open, new Verdict.Retry(delay, error));
        queues.readyAfter(delay, name);
        return late;
    }

    @Override
    public Fate retry(Receipt receipt, Duration delay, String error) {
        Fate fate = queues.settling().settle(receipt, new Verdict.Retry(delay, error));
        queues.readyAfter(delay, name);
        return fate;
    }

    @Override
    public Fate reject(Receipt receipt, String error) {
        return queues.settling().settle(receipt, new Verdict.Reject(error));
    }

    @Override
    public void release(Receipt receipt) {
        queues.settling().settle(receipt, new Verdict.Release());
    }

    @Override
    public Instant extend(Receipt receipt, Duration length) {
        Instant until = queues.settling().extend(receipt, length);
        // A lease that was cut short ends earlier than those who wait were told.
        queues.waiters().call(name);
        return until;
    }

    @Override
    public MessagePage messages(int limit) {
        return browsing.page(limit, null);
    }

    @Override
    public MessagePage messages(int limit, String after) {
        return browsing.page(limit, after);
    }

    @Override
    public QueueSettings settings() {
        queues.checkOpen();
        return remember(queues.settings(name));
    }

    @Override
    public QueueStatus status() {
        queues.checkOpen();
        return queues.status(name);
    }

    @Override
    public boolean update(QueueSettings settings) {
        queues.checkOpen();
        boolean changed = Outcomes.changed(queues.ledger().commit(new Update(queues.tenant(), name, settings))) > 0;
        remember(settings);
        return changed;
    }

    @Override
    public long purge() {
        long left = status().figures().depth();
        long purged = 0;
        boolean more = left > 0;
        while (more) {
            int step = (int) Math.min(left - purged, PURGED_AT_ONCE);
            int gone = Outcomes.changed(queues.ledger().commit(new Purge(queues.tenant(), name, step)));
            purged += gone;
            more = gone > 0 && purged < left;
        }
        return purged;
    }

    @Override
    public void delete() {
        queues.checkOpen();
        Outcomes.changed(queues.ledger().commit(new Delete(queues.tenant(), name)));
    }

    @Override
    public DeadLetters deadLetters() {
        return new LocalDeadLetters(
                queues, name.holdsDeadLetters() ? this : new LocalQueue(queues, name.deadLetters(), remembered));
    }

    @Override
    public String toString() {
        return name.value();
    }
}
