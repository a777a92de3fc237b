package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Match;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a wait of a workflow's code waits for.
 *
 * @param event the name of the events that it takes
 * @param payload what must be in their payload; absent where any will do
 */
public record Wait(StepName name, EventName event, @Nullable Json payload) {
    /** A wait as the code asked for it: without a word on that, its event has its own name. */
    static Wait of(StepName name, Match match) {
        EventName event = match.event() == null ? new EventName(name.value()) : match.event();
        if (event.isReserved()) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_NAME,
                    "Wait \"%s\" is for event \"%s\"; names that start with __ are Perdure's own."
                            .formatted(name, event));
        }
        return new Wait(name, event, match.payload());
    }

    /** A wait as it was recorded. */
    static Wait of(Event.WaitStarted recorded) {
        return new Wait(recorded.name(), recorded.event(), recorded.match());
    }

    /** Tells the letters that it takes from those that it leaves. */
    Predicate<Mailbox.Letter> wants() {
        Predicate<Json> fits = payload == null ? _ -> true : payload.matcher();
        return letter -> letter.event().equals(event) && fits.test(letter.payload());
    }

    Event.WaitStarted started() {
        return new Event.WaitStarted(name, event, payload);
    }

    Event.EventReceived received(Mailbox.Letter letter) {
        return new Event.EventReceived(name, event, letter.number(), letter.payload());
    }

    /** Whether it is the same as one that was recorded: the order of members and the writing of numbers do not count. */
    boolean isSameAs(Wait recorded) {
        return event.equals(recorded.event) && Objects.equals(meaning(payload), meaning(recorded.payload));
    }

    private static @Nullable String meaning(@Nullable Json payload) {
        return payload == null ? null : payload.fingerprint();
    }

    @Override
    public String toString() {
        return "event \"" + event + "\"" + (payload == null ? "" : " with " + payload);
    }
}
