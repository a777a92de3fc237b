package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Reads what is percent-encoded in the address of a request, strictly. A separator that is encoded is data. */
public final class Percent {
    private static final int ESCAPE = 3;

    private Percent() {}

    /**
     * Returns the parts of a path between its slashes, each decoded once: an encoded slash, dot or percent sign is a character of its part. Throws {@code PD-609} if a
     * part is not UTF-8, or an escape is malformed.
     *
     * @param rawPath begins with a slash; a slash at its end is followed by an empty part
     */
    public static List<String> parts(String rawPath) {
        return rawPath.equals("/")
                ? List.of()
                : Stream.of(rawPath.substring(1).split("/", -1))
                        .map(Percent::decode)
                        .toList();
    }

    /** The text that was encoded; {@code PD-609} where it is not UTF-8, or an escape is none. */
    public static String decode(String encoded) {
        if (encoded.indexOf('%') < 0) {
            return encoded;
        }
        byte[] given = encoded.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(given.length);
        try {
            int at = 0;
            while (at < given.length) {
                boolean escaped = given[at] == '%';
                bytes.write(
                        escaped
                                ? HexFormat.fromHexDigits(new String(given, at + 1, 2, StandardCharsets.US_ASCII))
                                : given[at]);
                at += escaped ? ESCAPE : 1;
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (IllegalArgumentException | IndexOutOfBoundsException | CharacterCodingException e) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_FIELD, "The address of the request is not percent-encoded UTF-8.", e);
        }
    }
}
