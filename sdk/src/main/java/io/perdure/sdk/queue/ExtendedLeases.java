package io.perdure.sdk.queue;

import io.perdure.sdk.id.Receipt;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of leases that were to end later, or sooner.
 *
 * @param until when they end now, by the store's clock; the first of them where it is not the same for all, and absent where there is none
 * @param late the receipts that came too late: their messages were settled before or are with another receiver ({@code PD-406})
 */
public record ExtendedLeases(@Nullable Instant until, List<Receipt> late) {
    public ExtendedLeases {
        late = List.copyOf(late);
    }
}
