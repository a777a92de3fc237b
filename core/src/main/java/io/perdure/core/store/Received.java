package io.perdure.core.store;

import io.perdure.sdk.id.Receipt;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link Receive}.
 *
 * @param nextReady the next time at which a message that waits behind no other becomes ready or its lease ends, always later
 *     than this answer: nobody need ask again before, unless a hint comes. Absent where there is none, and where all was given that was asked for: then
 *     there may be more at once
 */
public record Received(List<Delivery> deliveries, @Nullable Instant nextReady) {
    public Received {
        deliveries = List.copyOf(deliveries);
    }

    /** A message that is now leased; {@code message.deliveries()} counts this delivery. */
    public record Delivery(Receipt receipt, MessageRow message) {
        /** @param token of the lease */
        public Delivery(UUID token, MessageRow message) {
            this(Receipt.of(message.id(), token, message.queue(), message.group()), message);
        }
    }
}
