package io.perdure.core.store;

import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueBounds;
import java.time.Duration;

/** Asks for a lease of a run or a message to last so long from now. Passes while nobody else has claimed, even if it ran out. */
public record Extend(TenantId tenant, Receipt receipt, Duration length) {
    public Extend {
        QueueBounds.lease(length);
    }
}
