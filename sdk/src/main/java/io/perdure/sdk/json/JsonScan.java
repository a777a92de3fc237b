package io.perdure.sdk.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * Goes through a text that is JSON, because it was checked when it came or a server of ours has written it, and finds where its parts begin and end: it
 * steps over a value without reading it.
 * Requests and histories are taken apart level by level, so each character is passed several times; a parser would decode it each time.
 * What cannot be JSON where this has to go on is {@code PD-004}; inside of values it is not looked for.
 */
final class JsonScan {
    private static final char QUOTE = '"';
    private static final char ESCAPE = '\\';

    private final String text;
    private int at;

    JsonScan(String text) {
        this.text = text;
    }

    /** Where this has come to. */
    int at() {
        return at;
    }

    /** Steps over white space. */
    JsonScan space() {
        while (at < text.length() && JsonText.isSpace(text.charAt(at))) {
            at++;
        }
        return this;
    }

    /** Steps over white space and this character, if it is what comes then. */
    boolean steps(char expected) {
        space();
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    /** Steps over white space and this character, which has to come then. */
    void require(char expected) {
        if (!steps(expected)) {
            throw JsonText.notJson("'" + expected + "' is expected at character " + (at + 1) + ".", null);
        }
    }

    /** Steps over a value. */
    void value() {
        switch (at < text.length() ? text.charAt(at) : 0) {
            case QUOTE -> string();
            case '{', '[' -> nested();
            default -> scalar();
        }
    }

    /** Steps over a string. */
    void string() {
        if (at >= text.length() || text.charAt(at) != QUOTE) {
            throw JsonText.notJson("A string is expected at character " + (at + 1) + ".", null);
        }
        int end = at;
        do {
            end = text.indexOf(QUOTE, end + 1);
            if (end < 0) {
                throw JsonText.notJson("A string does not end.", null);
            }
        } while (isEscaped(end));
        at = end + 1;
    }

    /** Whether an odd number of escapes is before this. */
    private boolean isEscaped(int quote) {
        int before = quote;
        while (text.charAt(before - 1) == ESCAPE) {
            before--;
        }
        return (quote - before) % 2 == 1;
    }

    private void nested() {
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == QUOTE) {
                string();
                continue;
            }
            at++;
            if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
                if (depth == 0) {
                    return;
                }
            }
        }
        throw JsonText.notJson("A value does not end.", null);
    }

    private void scalar() {
        int begin = at;
        while (at < text.length() && isOfScalar(text.charAt(at))) {
            at++;
        }
        if (at == begin) {
            throw JsonText.notJson("A value is expected at character " + (at + 1) + ".", null);
        }
    }

    private static boolean isOfScalar(char c) {
        return c > ' ' && c != ',' && c != ']' && c != '}' && c != ':' && c != QUOTE && c != '{' && c != '[';
    }

    /** The content of a string that is written there, quotes included. */
    static String content(String text, int from, int to) {
        if (text.indexOf(ESCAPE, from, to) < 0) {
            // Nothing is escaped: what is between the quotes is the content.
            return text.substring(from + 1, to - 1);
        }
        try (JsonParser parser = JsonText.parser(text.substring(from, to))) {
            parser.nextToken();
            return parser.getString();
        } catch (JacksonException e) {
            throw JsonText.notJson(e.getOriginalMessage() + ".", e);
        }
    }
}
