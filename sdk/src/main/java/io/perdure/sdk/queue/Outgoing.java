package io.perdure.sdk.queue;

import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way into a queue: {@code Outgoing.of(body).delay(Duration.ofMinutes(5)).group("customer-7")}.
 *
 * @param headers short texts beside the body; they are delivered in the order of their names
 * @param delay how long it stays out of sight
 * @param group the FIFO group it belongs to; messages of one group are delivered in order, one at a time
 * @param deduplicationId makes the send repeatable: within the queue's window a second one adds nothing
 */
public record Outgoing(
        Json body,
        Map<String, String> headers,
        Duration delay,
        @Nullable GroupKey group,
        @Nullable DeduplicationId deduplicationId) {
    public Outgoing {
        headers = Collections.unmodifiableMap(new TreeMap<>(headers));
        QueueBounds.delay(delay);
    }

    /** A message that is ready at once, in no group. */
    public static Outgoing of(Json body) {
        return new Outgoing(body, Map.of(), Duration.ZERO, null, null);
    }

    /** The same with one more header, or another value for it. */
    public Outgoing header(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Outgoing(body, more, delay, group, deduplicationId);
    }

    /** The same, out of sight for so long after it was sent. */
    public Outgoing delay(Duration other) {
        return new Outgoing(body, headers, other, group, deduplicationId);
    }

    /** The same in a group; a key that is not valid is {@code PD-002}. */
    public Outgoing group(String key) {
        return new Outgoing(body, headers, delay, new GroupKey(key), deduplicationId);
    }

    /** The same with a deduplication id; one that is not valid is {@code PD-002}. */
    public Outgoing deduplicationId(String id) {
        return new Outgoing(body, headers, delay, group, new DeduplicationId(id));
    }
}
