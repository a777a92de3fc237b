package io.perdure.sdk.json;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;

/** What can be said of JSON text without building anything from it. */
final class JsonText {
    private static final int DEPTH = Limits.defaults().values().jsonDepth();

    /** For text from outside, which may be hostile. */
    private static final JsonFactory STRICT =
            factory(DEPTH).enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    /** How much deeper than a value that may nest which carries it. */
    private static final int ENVELOPE = 16;

    /** For text from outside that carries values. */
    private static final JsonFactory CARRYING = factory(DEPTH + ENVELOPE)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** For text that was checked before. An event wraps the values in it, so it nests deeper than they do. */
    private static final JsonFactory STORED = factory(2 * DEPTH).build();

    private JsonText() {}

    private static JsonFactoryBuilder factory(int depth) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(depth)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNameLength(Integer.MAX_VALUE)
                        .build());
    }

    static JsonParser parser(String text) {
        return STORED.createParser(ObjectReadContext.empty(), text);
    }

    /** Reads the whole text once: exactly one value, and nothing after it. */
    static void check(String text) {
        check(STRICT, text);
    }

    /** The same for a text that carries values. */
    static void checkEnvelope(String text) {
        check(CARRYING, text);
    }

    private static void check(JsonFactory factory, String text) {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw notJson("The text is empty.", null);
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw notJson("There is more after the first value.", null);
            }
        } catch (StreamConstraintsException e) {
            throw tooDeep(e);
        } catch (JacksonException e) {
            throw notJson(e.getOriginalMessage() + ".", e);
        }
    }

    /** Counts brackets outside of strings, of a text that is known to be JSON. */
    static void requireDepth(String text) {
        if (text.length() <= 2 * DEPTH) {
            // What is opened is closed again: this cannot nest deeper.
            return;
        }
        int depth = 0;
        boolean quoted = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quoted) {
                if (c == '\\') {
                    at++;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
                if (depth > DEPTH) {
                    throw tooDeep(null);
                }
            } else if (c == '}' || c == ']') {
                depth--;
            }
        }
    }

    static InvalidValueException notJson(String why, @Nullable Throwable cause) {
        return new InvalidValueException(ErrorCode.NOT_JSON, "The text is not a JSON value. " + why, cause);
    }

    private static InvalidValueException tooDeep(@Nullable StreamConstraintsException cause) {
        return new InvalidValueException(
                ErrorCode.JSON_TOO_DEEP,
                "The JSON value is nested deeper than " + DEPTH + " levels or holds a number of over 1,000 digits.",
                cause);
    }

    static String quoted(String content) {
        return quote(content, new StringBuilder(content.length() + 2)).toString();
    }

    /** Appends a string with this content. */
    static StringBuilder quote(String content, StringBuilder text) {
        String escaped = isPlain(content)
                ? content
                : escapeBrokenSurrogates(
                        new String(JsonStringEncoder.getInstance().quoteAsCharArray(content)));
        return text.append('"').append(escaped).append('"');
    }

    /** Whether it stands in quotes as it is: nearly all names do. */
    private static boolean isPlain(String content) {
        for (int at = 0; at < content.length(); at++) {
            char c = content.charAt(at);
            if (c < ' ' || c == '"' || c == '\\' || c >= 0x7F) {
                return false;
            }
        }
        return true;
    }

    /** Cuts off white space as JSON knows it; {@link String#strip} knows more. */
    static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    /** A surrogate without its partner has no UTF-8 form; its six-character escape has, and means the same. */
    static String escapeBrokenSurrogates(String text) {
        int first = firstBrokenSurrogate(text, 0);
        if (first < 0) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        int from = 0;
        for (int at = first; at >= 0; at = firstBrokenSurrogate(text, from)) {
            escaped.append(text, from, at).append("\\u" + HexFormat.of().toHexDigits(text.charAt(at)));
            from = at + 1;
        }
        return escaped.append(text, from, text.length()).toString();
    }

    private static int firstBrokenSurrogate(String text, int from) {
        int at = from;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                return at;
            }
            at += Character.charCount(point);
        }
        return -1;
    }
}
