package io.perdure.core.store;

import io.perdure.sdk.history.Event;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way into a history: the store adds its number and its times.
 *
 * @param until what the store is to fix as the event's {@code until}; absent for events that have none
 */
public record Draft(Event event, @Nullable Due until) {
    public Draft {
        Bounds.event(event);
    }

    public Draft(Event event) {
        this(event, null);
    }
}
