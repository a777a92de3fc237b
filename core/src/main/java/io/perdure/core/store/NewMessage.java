package io.perdure.core.store;

import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueBounds;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to put into a user's queue.
 *
 * @param group the FIFO group it belongs to; its place there is decided by the order of commits
 * @param deduplicationId a second send with the same one within the window answers with the first message and adds none
 */
public record NewMessage(
        MessageId id,
        QueueName queue,
        Json body,
        Map<String, String> headers,
        Duration delay,
        @Nullable GroupKey group,
        @Nullable DeduplicationId deduplicationId) {
    public NewMessage {
        headers = Ordered.copy(headers);
        Commit.require(
                !queue.holdsRuns() && !queue.holdsDeadLetters(),
                "Messages are sent to queues of users: \"%s\" is not one.".formatted(queue));
        Bounds.message(id, body, headers);
        QueueBounds.delay(delay);
    }

    public NewMessage(MessageId id, QueueName queue, Json body) {
        this(id, queue, body, Map.of(), Duration.ZERO, null, null);
    }

    /** As a {@link Receipt} bears it: 0 where it is in no group. */
    public int groupHash() {
        return group == null ? 0 : group.hashIn(queue);
    }
}
