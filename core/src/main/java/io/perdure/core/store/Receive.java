package io.perdure.core.store;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueBounds;
import io.perdure.sdk.queue.QueueSettings;
import java.util.Set;

/**
 * A request for messages of one user queue. How long the lease lasts is the caller's to say: the queue's own visibility is
 * in its {@link QueueSettings}.
 *
 * @param max how many at most
 * @param only where not empty, no others than these: the caller looked at {@code Store.messages} and chose by content
 */
public record Receive(TenantId tenant, QueueName queue, int max, Lease lease, Set<MessageId> only) {
    /**
     * How many messages one call takes out at most because they have expired or used up their deliveries. Then it stops, so that
     * it never takes long, and says that there may be more at once.
     */
    public static final int MOST_LEFT_OUT = 500;

    public Receive {
        only = Ordered.copy(only);
        QueueBounds.received(max);
        Bounds.listed(only.size());
        Bounds.usersQueue(queue);
    }

    public Receive(TenantId tenant, QueueName queue, int max, Lease lease) {
        this(tenant, queue, max, lease, Set.of());
    }
}
