package io.perdure.sdk.queue;

import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message and its record. Times are the store's.
 *
 * @param readyAt when it may be delivered; while it is leased, when the lease ends
 * @param expiresAt when it goes, unless somebody has dealt with it before
 * @param deliveries how often it was delivered since it was sent or redriven; of a dead letter, since it became one
 * @param earlierDeliveries how often before it was last redriven
 * @param firstDelivered when it was first delivered; deliveries as a dead letter do not count
 * @param lastDelivered when it was last delivered; deliveries as a dead letter do not count
 * @param lastError what whoever gave it back last said about why
 */
public record MessageInfo(
        MessageId id,
        QueueName queue,
        Json body,
        Map<String, String> headers,
        @Nullable GroupKey group,
        Instant sentAt,
        Instant readyAt,
        Instant expiresAt,
        int deliveries,
        int earlierDeliveries,
        @Nullable Instant firstDelivered,
        @Nullable Instant lastDelivered,
        @Nullable String lastError,
        @Nullable DeadLetter deadLetter) {
    public MessageInfo {
        headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    }
}
