package io.perdure.sdk.id;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.NameLimits;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The checks that names, keys and ids share, with messages that show the value and the rule it broke. */
final class Names {
    static final NameLimits LIMITS = Limits.defaults().names();

    private static final int SHOWN_CHARACTERS = 80;

    private Names() {}

    /** So many characters of one class. Put together by hand: a formatter writes numbers in the digits of the locale. */
    static Pattern pattern(String character, int most) {
        return Pattern.compile(character + "{1," + most + "}");
    }

    static String matching(String kind, Pattern pattern, String value) {
        if (!pattern.matcher(value).matches()) {
            throw invalid(kind, value, "it must match " + pattern.pattern());
        }
        return value;
    }

    static InvalidValueException invalid(String kind, String value, String rule) {
        return new InvalidValueException(
                ErrorCode.INVALID_NAME,
                "%s \"%s\" is not a valid name: %s.".formatted(capitalised(kind), shown(value), rule));
    }

    /** Checks free text that every database can index: no control characters, no broken surrogates, bounded. */
    static String key(String kind, String value) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > LIMITS.keyBytes()) {
            throw invalidKey(kind, value, "it has " + bytes + " bytes");
        }
        unfit(value).ifPresent(point -> {
            throw invalidKey(
                    kind,
                    value,
                    "character U+%s is not allowed".formatted(HexFormat.of().toHexDigits((char) point)));
        });
        return value;
    }

    /** The same of what is no key: the length that it may have is said with the refusal. */
    static String text(String kind, String value, int mostBytes) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > mostBytes || unfit(value).isPresent()) {
            throw invalid(kind, value, "it must have 1 to " + mostBytes + " bytes and no control characters");
        }
        return value;
    }

    /** The first control character or half of a surrogate pair. */
    private static OptionalInt unfit(String value) {
        return value.codePoints()
                .filter(point -> Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE)
                .findFirst();
    }

    static UUID uuid(String kind, String value) {
        // UUID.fromString also takes short groups ("1-2-3-4-5"); an id is only what we printed.
        if (value.length() == 36) {
            try {
                UUID parsed = UUID.fromString(value);
                if (parsed.toString().equals(value.toLowerCase(Locale.ROOT))) {
                    return parsed;
                }
            } catch (IllegalArgumentException e) {
                throw notAnId(kind, value, e);
            }
        }
        throw notAnId(kind, value, null);
    }

    /** Compares as databases do: by unsigned bytes. {@link UUID#compareTo} is signed. */
    static int compare(UUID left, UUID right) {
        int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
    }

    private static InvalidValueException notAnId(String kind, String value, @Nullable Throwable cause) {
        return new InvalidValueException(
                ErrorCode.INVALID_ID, "%s \"%s\" is not a UUID.".formatted(capitalised(kind), shown(value)), cause);
    }

    private static InvalidValueException invalidKey(String kind, String value, String why) {
        return new InvalidValueException(
                ErrorCode.INVALID_KEY,
                "%s \"%s\" is not a valid key: %s.".formatted(capitalised(kind), shown(value), why));
    }

    private static String capitalised(String kind) {
        return Character.toUpperCase(kind.charAt(0)) + kind.substring(1);
    }

    private static String shown(String value) {
        StringBuilder shown = new StringBuilder();
        value.codePoints()
                .limit(SHOWN_CHARACTERS)
                .forEach(point -> shown.appendCodePoint(
                        Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE
                                ? '\uFFFD'
                                : point));
        return value.length() > SHOWN_CHARACTERS ? shown + "…" : shown.toString();
    }
}
