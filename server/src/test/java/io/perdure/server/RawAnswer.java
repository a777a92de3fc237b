package io.perdure.server;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first answer in the bytes that a server sent.
 *
 * @param status {@link RawRequest#NO_ANSWER} if there is none
 * @param mediaType without parameters; {@code none} if there is none
 * @param complete whether all of the body arrived
 */
record RawAnswer(int status, String mediaType, String body, boolean complete) {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 ([0-9]{3}) ");
    private static final int FIRST_FINAL_STATUS = 200;
    private static final String HEAD_END = "\r\n\r\n";

    /** Reads them; an interim answer such as {@code 100 Continue} is skipped. */
    static RawAnswer of(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        Matcher status = STATUS.matcher(text);
        int end = text.indexOf(HEAD_END);
        if (!status.lookingAt() || end < 0) {
            return new RawAnswer(RawRequest.NO_ANSWER, "none", "", true);
        }
        String rest = text.substring(end + HEAD_END.length());
        int code = Integer.parseInt(status.group(1));
        if (code < FIRST_FINAL_STATUS) {
            return of(rest.getBytes(StandardCharsets.ISO_8859_1));
        }
        String head = text.substring(0, end).toLowerCase(Locale.ROOT);
        String type = header(head, "content-type").orElse("none").replaceAll(" *;.*", "");
        if (header(head, "transfer-encoding").isPresent()) {
            return ofChunks(code, type, rest);
        }
        int length = header(head, "content-length").map(Integer::parseInt).orElse(0);
        boolean complete = rest.length() >= length;
        return new RawAnswer(code, type, utf8(rest.substring(0, Math.min(length, rest.length()))), complete);
    }

    private static Optional<String> header(String head, String name) {
        return head.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    private static RawAnswer ofChunks(int status, String type, String rest) {
        StringBuilder body = new StringBuilder();
        int at = 0;
        while (true) {
            int line = rest.indexOf("\r\n", at);
            int size = line < 0 ? -1 : Integer.parseInt(rest.substring(at, line), 16);
            int from = line + 2;
            if (size <= 0 || from + size > rest.length()) {
                return new RawAnswer(status, type, utf8(body.toString()), size == 0);
            }
            body.append(rest, from, from + size);
            at = from + size + 2;
        }
    }

    private static String utf8(String latin) {
        return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
