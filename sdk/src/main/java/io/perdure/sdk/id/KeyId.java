package io.perdure.sdk.id;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.util.regex.Pattern;

/** Names an API key, in every list and log; no secret. Sixteen letters a to z and digits 2 to 7, which is 80 random bits. */
public record KeyId(String value) implements Comparable<KeyId> {
    /** What ids are made of. */
    public static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

    /** How many of these an id has. */
    public static final int LENGTH = 16;

    private static final Pattern PATTERN = Pattern.compile("[" + ALPHABET + "]{" + LENGTH + "}");

    public KeyId {
        // A whole key that was pasted here by mistake must not be shown, so nothing is.
        if (!PATTERN.matcher(value).matches()) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_ID, "A key's id has " + LENGTH + " letters a to z and digits 2 to 7.");
        }
    }

    @Override
    public int compareTo(KeyId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
