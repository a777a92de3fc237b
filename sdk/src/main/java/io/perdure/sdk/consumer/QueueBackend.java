package io.perdure.sdk.consumer;

import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;

/**
 * What a consumer needs of whoever keeps its queue: the engine in the same process, or a server. Each consumer has its own. Safe for many
 * threads, of which two may receive at once, and one only if it asks by content. What it throws is a {@code PerdureException}; {@code PD-203} ends the consumer's receiving, after anything
 * else it is asked again.
 */
public interface QueueBackend {
    /** The queue itself. */
    MessageQueue queue();

    /** Its settings, as they were a few seconds ago at most; {@code PD-401} where the queue is gone. */
    QueueSettings knownSettings();

    /** Receives as {@link MessageQueue#receive(Receiving)} does, and does not wait once it was dismissed. Only one receive at a time may wait. */
    Arrivals receive(Receiving receiving);

    /**
     * Ends the waits of the receives in progress, and those to come. Returns at once. What a receive has leased by then is still
     * answered, or given back.
     */
    void dismiss();

    /**
     * Says what became of a message; returns when that is durable. {@code PD-406} where it came too late, {@code PD-405} for a delay that the queue
     * does not allow.
     */
    Fate settle(Receipt receipt, Verdict verdict);

    /** Makes leases end so long from now, each on its own. */
    ExtendedLeases extend(List<Receipt> receipts, Duration length);
}
