package io.perdure.sdk.consumer;

import io.perdure.sdk.queue.Delivery;
import java.time.Duration;
import java.util.List;

/**
 * What a receive brought.
 *
 * @param waited how long after the receive was asked for the messages were not leased yet: a lease lasts from then at least
 */
public record Arrivals(List<Delivery> deliveries, Duration waited) {
    /** Nothing, because nothing came or nobody waited for it. */
    public static final Arrivals NONE = new Arrivals(List.of(), Duration.ZERO);

    public Arrivals {
        deliveries = List.copyOf(deliveries);
    }
}
