package io.perdure.sdk.json;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.ValueLimits;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * One JSON value, as text. A store gives back the very text it was given, so numbers keep their digits, objects their
 * order and strings their {@code \u0000}; two values are equal when their texts are. {@link #fingerprint} compares by
 * meaning instead.
 *
 * <p>The text is valid JSON without repeated member names, nested no deeper than {@link ValueLimits#jsonDepth}, and can
 * be encoded in UTF-8 by any database: a broken surrogate is rewritten as its escape.
 */
public final class Json {
    /** The JSON value {@code null}. */
    public static final Json NULL = new Json("null");

    /** No {@code char} takes more in UTF-8: the four of a pair are those of two. */
    private static final int MOST_BYTES_OF_CHAR = 3;

    private final String text;

    private Json(String text) {
        this.text = text;
    }

    /** Checks a text from outside: {@code PD-004} if it is not one JSON value, {@code PD-005} if it nests too deep. */
    public static Json of(String text) {
        String value = JsonText.trim(text);
        JsonText.check(value);
        String escaped = JsonText.escapeBrokenSurrogates(value);
        if (!escaped.equals(value)) {
            // In a member's name the escape cannot be read again.
            JsonText.check(escaped);
        }
        return new Json(escaped);
    }

    /**
     * Checks a text that came as UTF-8 and carries values, such as a request with many of them: it may nest 16 levels deeper than a
     * value. Whether a value in it nests too deep for itself is seen by {@link #requireDepth}.
     */
    public static Json ofEnvelope(String text) {
        String value = JsonText.trim(text);
        JsonText.checkEnvelope(value);
        return new Json(value);
    }

    /** Answers this value, or throws {@code PD-005} if it is nested deeper than values may be. */
    public Json requireDepth() {
        JsonText.requireDepth(text);
        return this;
    }

    /** Takes a text that passed {@link #of} before it was stored, without checking it again. */
    public static Json ofStored(String text) {
        return new Json(text);
    }

    /** A JSON string with this content. */
    public static Json string(String content) {
        return new Json(JsonText.quoted(content));
    }

    /** A JSON string with this time, as ISO 8601 writes it in UTC. */
    public static Json time(Instant time) {
        return new Json(TimeText.write(time, new StringBuilder(32).append('"'))
                .append('"')
                .toString());
    }

    /** A JSON number. */
    public static Json number(long value) {
        return new Json(Long.toString(value));
    }

    /** A JSON boolean. */
    public static Json bool(boolean value) {
        return new Json(Boolean.toString(value));
    }

    /** The content of a JSON string; {@code PD-004} for any other value. */
    public String content() {
        if (text.isEmpty() || text.charAt(0) != '"') {
            throw JsonText.notJson("A string is expected.", null);
        }
        return JsonScan.content(text, 0, text.length());
    }

    /** The time that a JSON string is, as {@link #time(Instant)} writes it; throws {@link java.time.DateTimeException} where it is none. */
    public Instant time() {
        return TimeText.read(content());
    }

    /** The text, exactly as it is stored. */
    public String text() {
        return text;
    }

    /** How many bytes the text takes in UTF-8. */
    public int bytes() {
        // Encoded, which is done many characters at a time; to count them is not.
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Answers this value, or throws {@code PD-003} naming {@code what} if it has more bytes than {@code limitBytes}. */
    public Json within(int limitBytes, String what) {
        if (text.length() <= limitBytes / MOST_BYTES_OF_CHAR) {
            return this;
        }
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

    /**
     * Whether this value contains the other, as Postgres' jsonb {@code @>} understands it: an object contains the members of the
     * other and may have more; an array contains each element of the other somewhere, in any order and however often; numbers
     * are equal by value ({@code 1} and {@code 1.0}), strings by their characters. An array also contains a scalar that is one of
     * its elements, though only as the whole of the two values, not inside them.
     *
     * <p>Objects and arrays inside arrays may each have to be held against every other, so a part with more of them than {@link
     * ValueLimits#matchNested} is {@code PD-007}. To ask it of many values, {@link #matcher} parses the part once.
     */
    public boolean contains(Json part) {
        return part.matcher().test(this);
    }

    /**
     * Tells of any number of values whether they {@linkplain #contains contain} this one; {@code PD-007} where it is too much to
     * look for. Safe for many threads.
     */
    public Predicate<Json> matcher() {
        return new Containment(this);
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
