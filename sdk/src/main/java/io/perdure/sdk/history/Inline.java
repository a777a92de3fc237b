package io.perdure.sdk.history;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds values to the size that is kept beside their event: {@code PD-003} for larger ones. */
public final class Inline {
    private static final int MOST_BYTES = Limits.defaults().values().inlineBytes();

    private Inline() {}

    /** Checks one value, if there is one; {@code what} names it in the error. */
    public static void value(@Nullable Json value, String what) {
        if (value != null) {
            value.within(MOST_BYTES, what);
        }
    }

    /** Checks what is written to a scratchpad at once, names and values together. */
    public static void writes(Map<String, Json> writes) {
        long bytes = writes.entrySet().stream()
                .mapToLong(write -> write.getKey().getBytes(StandardCharsets.UTF_8).length
                        + write.getValue().bytes())
                .sum();
        if (bytes > MOST_BYTES) {
            throw new InvalidValueException(
                    ErrorCode.VALUE_TOO_LARGE,
                    "What is written to the scratchpad has " + bytes + " bytes; at most " + MOST_BYTES + " fit.");
        }
    }

    static void event(Event event) {
        switch (event) {
            case Event.RunCreated e -> writes(e.writes());
            case Event.StepCompleted e -> {
                value(e.output(), "The output of step \"%s\"".formatted(e.step()));
                writes(e.writes());
            }
            case Event.WaitStarted e -> value(e.match(), "The match of wait \"%s\"".formatted(e.name()));
            case Event.EventReceived e -> value(e.payload(), "The payload of event \"%s\"".formatted(e.event()));
            case Event.ChildEnded e -> value(e.output(), "The output of child %s".formatted(e.child()));
            case Event.RunCompleted e -> value(e.result(), "The run's result");
            // Names and cut texts only.
            case Event.StepStarted _,
                    Event.StepFailed _,
                    Event.SleepStarted _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.RunParked _,
                    Event.RunResumed _,
                    Event.RunRedriven _,
                    Event.RunFailed _,
                    Event.RunCancelled _ -> {}
        }
    }
}
