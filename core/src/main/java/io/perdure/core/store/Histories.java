package io.perdure.core.store;

import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.EventName;
import java.util.List;
import java.util.OptionalLong;

/** What can be told from events alone. */
public final class Histories {
    private Histories() {}

    /** Whether the run neither goes on nor keeps a message after these events. */
    public static boolean ends(List<Draft> events) {
        return !events.isEmpty() && events.getLast().event().endsOrParks();
    }

    static boolean endsOnlyLast(List<Draft> events) {
        return events.stream()
                .limit(Math.max(0, events.size() - 1))
                .map(Draft::event)
                .noneMatch(Event::endsOrParks);
    }

    static boolean isIntervention(Event event) {
        return event instanceof Event.RunCreated
                || event instanceof Event.RunResumed
                || event instanceof Event.RunRedriven;
    }

    /** The number of the signal that an event takes out of the mailbox. */
    public static OptionalLong signalTaken(Event event) {
        return switch (event) {
            case Event.EventReceived e -> OptionalLong.of(e.signal());
            case Event.ChildEnded e -> OptionalLong.of(e.signal());
            case Event.RunCreated _,
                    Event.StepStarted _,
                    Event.StepCompleted _,
                    Event.StepFailed _,
                    Event.SleepStarted _,
                    Event.WaitStarted _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.RunParked _,
                    Event.RunResumed _,
                    Event.RunRedriven _,
                    Event.RunCompleted _,
                    Event.RunFailed _,
                    Event.RunCancelled _ -> OptionalLong.empty();
        };
    }

    /** Whether an event may take a signal of this name: a wait its own, a child's end the notice of that child. */
    public static boolean takes(Event event, EventName signal) {
        return (event instanceof Event.EventReceived received
                        && received.event().equals(signal))
                || (event instanceof Event.ChildEnded ended
                        && EventName.childEnded(ended.child()).equals(signal));
    }
}
