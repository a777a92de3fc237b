package io.perdure.core.store;

import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.MessageInfo;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message of a user.
 *
 * @param groupSeq its place in its group, by the order of commits; 0 where it has no group or is a dead letter. A group
 *     counts on until it is empty
 * @param readyAt when it may be delivered; while it is leased, when the lease ends
 * @param leased whether someone holds a lease that has not run out
 * @param deliveries how often it was delivered since it was sent or redriven; of a dead letter, since it became one
 * @param earlierDeliveries how often before it was last redriven, deliveries as a dead letter not among them
 * @param firstDelivered when it was first delivered from a queue that is not of dead letters
 * @param lastDelivered when it was last delivered from one
 * @param lastError what the last receiver that gave it back said
 */
public record MessageRow(
        MessageId id,
        QueueName queue,
        Json body,
        Map<String, String> headers,
        @Nullable GroupKey group,
        long groupSeq,
        Instant sentAt,
        Instant readyAt,
        Instant expiresAt,
        boolean leased,
        int deliveries,
        int earlierDeliveries,
        @Nullable Instant firstDelivered,
        @Nullable Instant lastDelivered,
        @Nullable String lastError,
        @Nullable DeadLetter deadLetter) {
    /** The message as its users see it. */
    public MessageInfo info() {
        return new MessageInfo(
                id,
                queue,
                body,
                headers,
                group,
                sentAt,
                readyAt,
                expiresAt,
                deliveries,
                earlierDeliveries,
                firstDelivered,
                lastDelivered,
                lastError,
                deadLetter);
    }
}
