package io.perdure.sdk.worker;

import io.perdure.sdk.id.EventName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.List;

/**
 * The signals that a run has not taken yet, as they lay there at one moment.
 *
 * @param wakes how many signals the run has had by then; who lets go of it names them, and is turned back if there were more
 * @param letters what lies there, in the order it came
 */
public record Mailbox(long wakes, List<Letter> letters) {
    /** Of a run that has just begun. */
    public static final Mailbox EMPTY = new Mailbox(0, List.of());

    public Mailbox {
        letters = List.copyOf(letters);
    }

    /**
     * A signal that waits to be taken.
     *
     * @param number its number in this mailbox
     * @param at when it came, by the store's clock
     */
    public record Letter(long number, EventName event, Json payload, Instant at) {}
}
