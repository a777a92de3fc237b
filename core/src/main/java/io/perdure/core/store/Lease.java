package io.perdure.core.store;

import io.perdure.sdk.queue.QueueBounds;
import java.time.Duration;
import java.util.UUID;

/**
 * The right to work on a message for a while. If the store's clock goes back, a lease that ends further ahead than twice its length is
 * shortened to one length from then, and its holder confirms it by the next extension.
 *
 * @param token what its holder proves it with; fresh for every claim, shared by the messages that one claim leases
 * @param length how long it lasts by the store's clock unless it is extended
 * @param holder where its holder runs; a store keeps this for leases of runs
 */
public record Lease(UUID token, Duration length, Holder holder) {
    private static final UUID ZEROES = new UUID(0, 0);

    /** Where the holder of a lease runs. */
    public enum Holder {
        /** In the process that asks for the lease. The lease is of no use once that process has ended. */
        THIS_PROCESS,
        /** In another process, which asks through a server and outlives it. */
        REMOTE_WORKER
    }

    public Lease {
        // A database may keep them where there is no token.
        Commit.require(!token.equals(ZEROES), "The token of a lease is not all zeroes.");
        QueueBounds.lease(length);
    }

    /** Creates a lease that is held in this process. */
    public Lease(UUID token, Duration length) {
        this(token, length, Holder.THIS_PROCESS);
    }

    /** Whether its holder outlives the process that asks for it. */
    public boolean isRemote() {
        return holder == Holder.REMOTE_WORKER;
    }
}
