package io.perdure.core.store;

import io.perdure.sdk.id.Receipt;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link Receive}.
 *
 * @param nextReady when the next message becomes ready or its lease ends, if it is known
 */
public record Received(List<Delivery> deliveries, @Nullable Instant nextReady) {
    public Received {
        deliveries = List.copyOf(deliveries);
    }

    /** A message that is now leased; {@code message.deliveries()} counts this delivery. */
    public record Delivery(Receipt receipt, MessageRow message) {}
}
