package io.perdure.core.store.memory;

import io.perdure.core.store.Lease;
import io.perdure.sdk.history.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the message of a run and the message of a user have in common: a time to be ready, and a lease. */
abstract class Leasable {
    /** When it may be taken; while it is leased, when the lease ends. */
    Instant readyAt;

    private @Nullable UUID token;
    private Duration leaseLength = Duration.ZERO;

    Leasable(Instant readyAt) {
        this.readyAt = readyAt;
    }

    /** Whether it can be taken now. */
    final boolean isAvailable(Instant now) {
        return !readyAt.isAfter(now);
    }

    final boolean isLeased(Instant now) {
        return token != null && !isAvailable(now);
    }

    /**
     * Shortens a lease that ends further ahead than twice its length, because the clock went back, to one length from now. The token stays: a
     * live holder confirms the lease by its next extension, and a dead one loses it one length later. Not a lease that ends further ahead
     * than once its length: then every small step back would rewrite all fresh leases.
     */
    final void shortenIfTooLong(Instant now) {
        if (token != null && readyAt.isAfter(now.plus(leaseLength.multipliedBy(2)))) {
            extend(leaseLength, now);
        }
    }

    /** Whether somebody took it and neither gave it back nor lost it: their lease may have run out. */
    final boolean isTaken() {
        return token != null;
    }

    /** Whether this token is the last it was taken with. A lease that ran out passes until somebody else takes it. */
    final boolean isHeldBy(UUID candidate) {
        return candidate.equals(token);
    }

    final void take(Lease lease, Instant now) {
        token = lease.token();
        extend(lease.length(), now);
    }

    final void extend(Duration length, Instant now) {
        leaseLength = length;
        readyAt = Due.in(length).fixedAt(now);
    }

    final void giveBack(Instant ready) {
        token = null;
        readyAt = ready;
    }
}
