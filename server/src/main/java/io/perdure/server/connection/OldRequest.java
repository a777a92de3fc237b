package io.perdure.server.connection;

import io.perdure.server.http.KeyGate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A request of HTTP/1.0, which some proxies and probes speak, made into one of HTTP/1.1. It is the only one of its connection. The answer is of HTTP/1.1, which
 * callers of 1.0 understand as long as it has a length and the connection is closed after it.
 */
final class OldRequest {
    private static final String OLD = " HTTP/1.0";
    private static final String NEW = " HTTP/1.1";

    /** What HTTP/1.0 does not know, or what would ask for an answer in chunks. */
    private static final Set<String> DROPPED =
            Set.of("connection", "keep-alive", "proxy-connection", "expect", "accept", "te", "upgrade");

    /** A name that is never resolved, for callers that do not say whom they ask. */
    private static final String NO_HOST = "Host: unknown.invalid";

    private OldRequest() {}

    /** Returns whether a request line, whose line feed is at the given place, is of HTTP/1.0. */
    static boolean isMeant(byte[] bytes, int lineEnd) {
        int from = lineEnd - 1 - OLD.length();
        return from > 0
                && bytes[lineEnd - 1] == '\r'
                && new String(bytes, from, OLD.length(), StandardCharsets.ISO_8859_1).equals(OLD);
    }

    /**
     * Returns the same request as one of HTTP/1.1.
     *
     * @param head the request line and the headers, without the empty line after them
     */
    static byte[] asNew(String head) {
        String[] lines = head.split("\r\n", -1);
        List<String> kept = new ArrayList<>();
        kept.add(lines[0].substring(0, lines[0].length() - OLD.length()) + NEW);
        boolean hasHost = false;
        for (int i = 1; i < lines.length; i++) {
            String name = name(lines[i]);
            hasHost |= name.equals("host");
            if (!DROPPED.contains(name)) {
                kept.add(lines[i]);
            }
        }
        if (!hasHost) {
            kept.add(NO_HOST);
        }
        // A caller of HTTP/1.0 may be a proxy, which says so by nothing else.
        kept.add("Via: " + KeyGate.VIA_OLD);
        kept.add("Connection: close");
        return (String.join("\r\n", kept) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String name(String line) {
        int colon = line.indexOf(':');
        return (colon < 0 ? line : line.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
    }
}
