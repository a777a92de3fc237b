package io.perdure.sdk.json;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.util.Locale;

/**
 * One JSON value, as text. A store gives back the very text it was given, so numbers keep their digits, objects their
 * order and strings their {@code \u0000}; two values are equal when their texts are. {@link #fingerprint} compares by
 * meaning instead.
 *
 * <p>The text is valid JSON without repeated member names, nested no deeper than {@link Limits.Values#jsonDepth}, and can
 * be encoded in UTF-8 by any database: a broken surrogate is rewritten as its escape.
 */
public final class Json {
    /** The JSON value {@code null}. */
    public static final Json NULL = new Json("null");

    private final String text;

    private Json(String text) {
        this.text = text;
    }

    /** Checks a text from outside: {@code PD-004} if it is not one JSON value, {@code PD-005} if it nests too deep. */
    public static Json of(String text) {
        String value = JsonText.trim(text);
        JsonText.check(value);
        return new Json(JsonText.escapeBrokenSurrogates(value));
    }

    /** Takes a text that passed {@link #of} before it was stored, without checking it again. */
    public static Json ofStored(String text) {
        return new Json(text);
    }

    /** A JSON string with this content. */
    public static Json string(String content) {
        return new Json(JsonText.quoted(content));
    }

    /** A JSON number. */
    public static Json number(long value) {
        return new Json(Long.toString(value));
    }

    /** A JSON boolean. */
    public static Json bool(boolean value) {
        return new Json(Boolean.toString(value));
    }

    /** The text, exactly as it is stored. */
    public String text() {
        return text;
    }

    /** How many bytes the text takes in UTF-8. */
    public int bytes() {
        return JsonText.utf8Length(text);
    }

    /** Answers this value, or throws {@code PD-003} naming {@code what} if it has more bytes than {@code limitBytes}. */
    public Json within(int limitBytes, String what) {
        int bytes = bytes();
        if (bytes > limitBytes) {
            throw new InvalidValueException(
                    ErrorCode.VALUE_TOO_LARGE,
                    String.format(Locale.ROOT, "%s has %,d bytes; at most %,d fit.", what, bytes, limitBytes));
        }
        return this;
    }

    /**
     * A SHA-256 over the meaning of this value: the same for two values that differ only in white space, in the order of
     * members, in escapes or in how a number is written. Two starts with one idempotency key must have equal ones.
     */
    public String fingerprint() {
        return Fingerprint.of(text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Json json && json.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
