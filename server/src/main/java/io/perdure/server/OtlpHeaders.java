package io.perdure.server;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Headers that a collector is sent with every request, such as the key of a backend. Their values are secrets: neither an error nor {@link #toString} shows one.
 * What cannot be sent is {@code PD-610}.
 *
 * @param values by their names, which do not differ by case alone
 */
public record OtlpHeaders(Map<String, String> values) {
    private static final int MOST_HEADERS = 32;
    private static final int MOST_CHARACTERS = 8_192;
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern VALUE = Pattern.compile("[!-~]([ -~]*[!-~])?");

    /** What says how a request is to be read belongs to who writes it. */
    private static final Set<String> OURS = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "expect",
            "host",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** There are none. */
    public static final OtlpHeaders NONE = new OtlpHeaders(Map.of());

    public OtlpHeaders {
        Map<String, String> checked = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        values.forEach((name, value) -> add(checked, name, value));
        values = Collections.unmodifiableMap(checked);
    }

    /**
     * Reads the form that OpenTelemetry has for them: {@code name=value,name=value}, where a value is percent-encoded, as a comma in it must be.
     */
    public static OtlpHeaders parse(String text) {
        require(text.length() <= MOST_CHARACTERS, "it is longer than " + MOST_CHARACTERS + " characters");
        Map<String, String> read = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            String which = header(read);
            require(equals >= 0, which + " is no name=value; a comma inside of a value is written %2C");
            add(read, pair.substring(0, equals).strip(), decoded(pair.substring(equals + 1), which));
        }
        return new OtlpHeaders(read);
    }

    private static String decoded(String value, String which) {
        try {
            // A plus is one here: only forms have it for a space.
            return URLDecoder.decode(value.strip().replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            // Its message has a part of the secret.
            throw refused(which + " has a % that two hexadecimal digits do not follow; a % itself is written %25");
        }
    }

    /** Says which one is wrong by its place: where a comma was forgotten or is one too many, what looks like a name is a part of a secret. */
    private static void add(Map<String, String> to, String name, String value) {
        String which = header(to);
        require(to.size() < MOST_HEADERS, "there are more than " + MOST_HEADERS + " headers");
        require(NAME.matcher(name).matches(), "the name of " + which + " is none that HTTP knows");
        require(
                !OURS.contains(name.toLowerCase(Locale.ROOT)),
                which + " has a name that says how the request is to be read, such as Content-Type");
        require(!value.isEmpty(), which + " has no value");
        require(VALUE.matcher(value).matches(), "the value of " + which + " has characters that no header may have");
        require(to.put(name, value) == null, which + " has the name of one before it");
    }

    private static String header(Map<String, String> before) {
        return "header " + (before.size() + 1);
    }

    private static void require(boolean holds, String why) {
        if (!holds) {
            throw refused(why);
        }
    }

    private static InvalidValueException refused(String why) {
        return new InvalidValueException(
                ErrorCode.SERVER_SETTINGS, "Setting \"otlpHeaders\" cannot be taken: %s.".formatted(why));
    }

    /** Their names. */
    @Override
    public String toString() {
        return values.keySet().toString();
    }
}
