package io.perdure.store.postgres;

import io.perdure.core.store.Histories;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.EventName;
import java.util.List;

/**
 * A signal that an event takes out of the mailbox.
 *
 * @param event the name that it must have there
 */
record TakenSignal(long number, EventName event) {
    /** Those of all these events, in their order. */
    static List<TakenSignal> of(List<Draft> drafts) {
        return drafts.stream()
                .map(Draft::event)
                .filter(event -> Histories.signalTaken(event).isPresent())
                .map(event -> new TakenSignal(Histories.signalTaken(event).getAsLong(), name(event)))
                .toList();
    }

    private static EventName name(Event event) {
        return switch (event) {
            case Event.EventReceived received -> received.event();
            case Event.ChildEnded ended -> EventName.childEnded(ended.child());
            default -> throw new IllegalArgumentException(event.getClass() + " takes no signal");
        };
    }
}
