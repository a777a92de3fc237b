package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.Sending;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.MessageJson;
import io.perdure.sdk.wire.QueueJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One queue of a server. */
final class RemoteQueue implements MessageQueue {
    private final Calls calls;
    private final RemoteSends sends;
    private final RemoteReceipts receipts;
    private final RemoteReceiving receiving;
    private final QueueName name;
    private final String path;

    RemoteQueue(Calls calls, RemoteSends sends, QueueName name) {
        this.calls = calls;
        this.sends = sends;
        this.name = name;
        this.path = Paths.queue(name);
        this.receipts = new RemoteReceipts(calls, path);
        this.receiving = new RemoteReceiving(calls, this);
    }

    @Override
    public QueueName name() {
        return name;
    }

    @Override
    public Sending sendLater(List<Outgoing> messages) {
        return sends.send(name, messages);
    }

    @Override
    public List<Delivery> receive(Receiving how) {
        return receiving.receive(how);
    }

    @Override
    public void ack(Receipt receipt) {
        receipts.ack(receipt);
    }

    @Override
    public List<Receipt> ackAll(List<Delivery> deliveries) {
        Set<Delivery> open = new LinkedHashSet<>(deliveries);
        open.removeIf(Delivery::isSettled);
        Set<Receipt> lost = new HashSet<>(
                receipts.ackAll(open.stream().map(Delivery::receipt).toList()));
        List<Receipt> late = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            if (open.remove(delivery) && !lost.contains(delivery.receipt())) {
                delivery.settled();
            } else {
                late.add(delivery.receipt());
            }
        }
        return List.copyOf(late);
    }

    @Override
    public List<Receipt> retryAll(List<Delivery> deliveries, Duration delay, String error) {
        List<Receipt> late = new ArrayList<>();
        RefusedException refusal = null;
        for (Delivery delivery : new LinkedHashSet<>(deliveries)) {
            try {
                if (!delivery.isSettled()) {
                    delivery.retry(delay, error);
                }
            } catch (RefusedException e) {
                if (e.code() == ErrorCode.LEASE_LOST) {
                    late.add(delivery.receipt());
                } else {
                    // The others are given back all the same.
                    refusal = refusal == null ? e : refusal;
                }
            }
        }
        if (refusal != null) {
            throw refusal;
        }
        return List.copyOf(late);
    }

    @Override
    public Fate retry(Receipt receipt, Duration delay, String error) {
        return receipts.retry(receipt, delay, error);
    }

    @Override
    public Fate reject(Receipt receipt, String error) {
        return receipts.reject(receipt, error);
    }

    @Override
    public void release(Receipt receipt) {
        receipts.release(receipt);
    }

    @Override
    public Instant extend(Receipt receipt, Duration length) {
        return receipts.extend(receipt, length);
    }

    @Override
    public MessagePage messages(int limit) {
        return list(limit, null);
    }

    @Override
    public MessagePage messages(int limit, String after) {
        return list(limit, after);
    }

    private MessagePage list(int limit, @Nullable String after) {
        RemoteListing.requireLimit("messages", limit);
        List<QueuedMessage> found = new ArrayList<>();
        String place = after;
        do {
            int asked = Math.min(limit - found.size(), RemoteListing.PAGE);
            String from = place == null ? "" : "&cursor=" + Paths.encoded(place);
            MessagePage page = calls.ask(Call.get(path + "/messages?limit=" + asked + from), MessageJson::page);
            found.addAll(page.messages());
            place = page.next();
        } while (place != null && found.size() < limit);
        return new MessagePage(found, place);
    }

    @Override
    public QueueSettings settings() {
        return status().settings();
    }

    @Override
    public QueueStatus status() {
        return status(calls.patience());
    }

    /** The same, asked again for so long while the server is away. */
    QueueStatus status(Duration patience) {
        return calls.ask(Call.get(path).patience(patience), QueueJson::status);
    }

    /** What a consumer needs of this queue. */
    QueueBackend backend() {
        return new RemoteQueueBackend(calls, this, receipts, settings());
    }

    @Override
    public boolean update(QueueSettings settings) {
        return calls.ask(
                calls.repeatable("PATCH", path, QueueJson.write(settings)),
                answer -> FieldReader.of(answer).flag("changed"));
    }

    @Override
    public long purge() {
        return calls.ask(
                calls.repeatable("POST", path + "/purge", null).lasting(Calls.LONG),
                answer -> FieldReader.of(answer).integer("purged"));
    }

    @Override
    public void delete() {
        calls.ask(calls.repeatable("DELETE", path, null));
    }

    @Override
    public DeadLetters deadLetters() {
        return new RemoteDeadLetters(
                calls, name.holdsDeadLetters() ? this : new RemoteQueue(calls, sends, name.deadLetters()));
    }

    @Override
    public String toString() {
        return name.value();
    }
}
