package io.perdure.sdk.json;

import io.perdure.sdk.Sha256;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Hashes JSON by meaning: members sorted, numbers in lowest terms, escapes resolved, white space gone. */
final class Fingerprint {
    private static final Pattern LEADING_ZEROS = Pattern.compile("^0+");
    private static final Pattern TRAILING_ZEROS = Pattern.compile("0+$");

    private Fingerprint() {}

    static String of(String text) {
        try (JsonParser parser = JsonText.parser(text)) {
            return Sha256.hex(canonical(parser, parser.nextToken()));
        } catch (JacksonException e) {
            throw JsonText.notJson(e.getOriginalMessage() + ".", e);
        }
    }

    private static String canonical(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> JsonText.quoted(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
            default -> token.asString();
        };
    }

    /** Digits without zeros at either end, and their exponent. As text: an exponent may be too large to compute with. */
    static String number(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("e", 2);
        String sign = parts[0].startsWith("-") ? "-" : "";
        int point = parts[0].indexOf('.');
        int fraction = point < 0 ? 0 : parts[0].length() - point - 1;
        String digits = LEADING_ZEROS
                .matcher(parts[0].replace(".", "").replace("-", ""))
                .replaceFirst("");
        String significant = TRAILING_ZEROS.matcher(digits).replaceFirst("");
        if (significant.isEmpty()) {
            return "0";
        }
        BigInteger exponent = new BigInteger(parts.length == 1 ? "0" : parts[1].replace("+", ""))
                .add(BigInteger.valueOf(digits.length() - significant.length() - fraction));
        return sign + significant + "e" + exponent;
    }

    private static String object(JsonParser parser) {
        Map<String, String> members = new TreeMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            members.put(name, canonical(parser, parser.nextToken()));
        }
        StringBuilder text = new StringBuilder("{");
        members.forEach((name, value) ->
                text.append(JsonText.quoted(name)).append(':').append(value).append(','));
        return text.append('}').toString();
    }

    private static String array(JsonParser parser) {
        StringBuilder text = new StringBuilder("[");
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            text.append(canonical(parser, token)).append(',');
        }
        return text.append(']').toString();
    }
}
