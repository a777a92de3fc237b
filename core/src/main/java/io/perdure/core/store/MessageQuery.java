package io.perdure.core.store;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a page of a user queue's messages, by when they are or become ready.
 *
 * @param deliverable only messages that a receive would meet and that have not expired: due, and at the head of their group. What has
 *     used up its deliveries is among them, and a receive of it gives it up
 * @param after only messages that come after this one in the order of the page before
 */
public record MessageQuery(
        TenantId tenant,
        QueueName queue,
        boolean deliverable,
        @Nullable Cursor after,
        int limit) {
    public MessageQuery {
        Bounds.page(limit);
        Bounds.usersQueue(queue);
    }

    /** A place in the order of a queue. */
    public record Cursor(Instant readyAt, MessageId message) {}
}
