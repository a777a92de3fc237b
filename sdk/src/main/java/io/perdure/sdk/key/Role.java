package io.perdure.sdk.key;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.util.Locale;
import java.util.stream.Stream;

/** What a key allows within its tenant. */
public enum Role {
    /** Everything, keys included. */
    ADMIN,
    /** To start, signal, look at and end runs, and to use queues. */
    CLIENT,
    /** To claim runs and commit what they do, and what a client may. */
    WORKER,
    /** To read the figures of the whole server, and nothing else. */
    MONITOR;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The role as it is written and spoken: in lower case. */
    public String word() {
        return word;
    }

    /** Reads what {@link #word} answers; anything else is {@code PD-007}. */
    public static Role parse(String word) {
        return Stream.of(values())
                .filter(role -> role.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(
                        ErrorCode.OUT_OF_BOUNDS, "A role is admin, client, worker or monitor, and nothing else."));
    }
}
