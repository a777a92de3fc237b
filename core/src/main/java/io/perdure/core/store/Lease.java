package io.perdure.core.store;

import io.perdure.sdk.queue.QueueBounds;
import java.time.Duration;
import java.util.UUID;

/**
 * The right to work on a message for a while.
 *
 * @param token what its holder proves it with; fresh for every claim, shared by the messages that one claim leases
 * @param length how long it lasts by the store's clock unless it is extended
 */
public record Lease(UUID token, Duration length) {
    private static final UUID ZEROES = new UUID(0, 0);

    public Lease {
        // A database may keep them where there is no token.
        Commit.require(!token.equals(ZEROES), "The token of a lease is not all zeroes.");
        QueueBounds.lease(length);
    }
}
