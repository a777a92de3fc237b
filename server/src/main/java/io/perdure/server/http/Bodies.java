package io.perdure.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.OptionalLong;

/** Reads and writes JSON bodies, within bounds. */
public final class Bodies {
    private static final String JSON = "application/json";

    private Bodies() {}

    /**
     * Reads a request's body: {@code PD-606} where it is not announced as plain JSON, {@code PD-607} where it has more bytes than that, of which no more are
     * read, {@code PD-004} where it is no JSON in UTF-8.
     */
    public static Json json(ServerRequest request, int maxBytes) {
        requireJson(request.headers());
        OptionalLong announced = request.headers().contentLength();
        if (announced.isPresent() && announced.getAsLong() > maxBytes) {
            throw tooLarge(maxBytes);
        }
        return Json.ofEnvelope(text(read(request, maxBytes)));
    }

    private static byte[] read(ServerRequest request, int maxBytes) {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        try (InputStream body = request.content().inputStream()) {
            byte[] bytes = body.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw tooLarge(maxBytes);
            }
            return bytes;
        } catch (IOException e) {
            throw new InvalidValueException(ErrorCode.NOT_JSON, "The request's body broke off.", e);
        }
    }

    private static InvalidValueException tooLarge(int maxBytes) {
        return new InvalidValueException(
                ErrorCode.BODY_TOO_LARGE,
                String.format(Locale.ROOT, "The request's body has more than %,d bytes.", maxBytes));
    }

    private static void requireJson(ServerRequestHeaders headers) {
        if (headers.contains(HeaderNames.CONTENT_ENCODING)) {
            throw new InvalidValueException(
                    ErrorCode.WRONG_MEDIA_TYPE, "The request's body is compressed or otherwise encoded.");
        }
        // Not parsed by the server's own class: what it cannot parse has to be answered as well.
        String type = headers.first(HeaderNames.CONTENT_TYPE)
                .orElse("none")
                .toLowerCase(Locale.ROOT)
                .replace(" ", "");
        if (!type.equals(JSON) && !type.equals(JSON + ";charset=utf-8") && !type.equals(JSON + ";charset=\"utf-8\"")) {
            throw new InvalidValueException(
                    ErrorCode.WRONG_MEDIA_TYPE, "The request's Content-Type is not application/json.");
        }
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidValueException(ErrorCode.NOT_JSON, "The request's body is not UTF-8.", e);
        }
    }

    /** Answers with this. */
    public static void send(ServerResponse response, Json answer) {
        response.header(HeaderNames.CONTENT_TYPE, JSON);
        response.send(answer.text().getBytes(StandardCharsets.UTF_8));
    }
}
