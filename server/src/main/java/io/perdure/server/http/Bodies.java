package io.perdure.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.logging.Logs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads and writes JSON bodies, within bounds. */
public final class Bodies {
    private static final System.Logger LOG = Logs.of(Bodies.class);
    /** What bodies are announced as. */
    public static final String JSON = "application/json";

    private static final char REPLACEMENT = '\uFFFD';
    private static final int MOST_DISCARDED_BYTES = 16 * 1024 * 1024;
    private static final int PART_BYTES = 8192;

    /** How long a body may take to come, or to go. */
    private static final Duration LONGEST = Limits.defaults().rest().bodyWithin();

    private Bodies() {}

    /**
     * Reads a request's body: {@code PD-606} where it is not announced as plain JSON, {@code PD-607} where it has more bytes than that, of which no more are
     * read, {@code PD-004} where it is no JSON in UTF-8, {@code PD-605} where there is no room for it at its place.
     */
    public static Json json(ServerRequest request, int maxBytes, UnderWay.Place place) {
        requireJson(request.headers());
        OptionalLong announced = request.headers().contentLength();
        if (announced.isPresent() && announced.getAsLong() > maxBytes) {
            throw tooLarge(maxBytes);
        }
        return Json.ofEnvelope(read(request, maxBytes, place));
    }

    /** Reads a body that does not count, see {@link #json(ServerRequest, int, UnderWay.Place)}. */
    public static Json json(ServerRequest request, int maxBytes) {
        return json(request, maxBytes, UnderWay.UNCOUNTED);
    }

    /** Reads a body that may be missing or empty, see {@link #json(ServerRequest, int, UnderWay.Place)}. */
    public static Optional<Json> jsonIfAny(ServerRequest request, int maxBytes, UnderWay.Place place) {
        if (!request.content().hasEntity() || announces(request, 0)) {
            return Optional.empty();
        }
        return Optional.of(json(request, maxBytes, place));
    }

    private static boolean announces(ServerRequest request, long bytes) {
        OptionalLong announced = request.headers().contentLength();
        return announced.isPresent() && announced.getAsLong() == bytes;
    }

    private static String read(ServerRequest request, int maxBytes, UnderWay.Place place) {
        if (!request.content().hasEntity()) {
            return "";
        }
        // Not closed: that would read the rest, which may never end.
        InputStream body = request.content().inputStream();
        byte[] bytes = new byte[0];
        int count = 0;
        try (TransferDeadline _ = new TransferDeadline(LONGEST)) {
            for (int more = 0; more >= 0; more = body.read(bytes, count, bytes.length - count)) {
                count += more;
                if (count > maxBytes) {
                    throw tooLarge(maxBytes);
                }
                if (count == bytes.length) {
                    bytes = grown(request, bytes, maxBytes, place);
                }
            }
        } catch (PerdureException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Whatever the server throws at a body that it cannot take apart.
            throw brokeOff(e);
        }
        return text(bytes, count);
    }

    /**
     * Doubles the room for a body that has filled it, but makes no more than it can need: what was announced need not come. The read that finds the end
     * needs a byte, too.
     */
    private static byte[] grown(ServerRequest request, byte[] full, int maxBytes, UnderWay.Place place) {
        long announced = request.headers().contentLength().orElse(maxBytes);
        long most = 1 + (announced >= full.length ? Math.min(announced, maxBytes) : maxBytes);
        int size = (int) Math.min(most, Math.max(PART_BYTES, 2L * full.length));
        place.bodyOf(size);
        return Arrays.copyOf(full, size);
    }

    /**
     * Reads a body that nobody asked for and drops it, so that whoever still sends it comes to see the answer. Not where its end is not known, or
     * too far away, or where the sender waits to be told to go on: that connection has to be closed.
     *
     * @return whether nothing of a body is left
     */
    static boolean discard(ServerRequest request) {
        if (!request.content().hasEntity() || request.content().consumed()) {
            return true;
        }
        OptionalLong announced = request.headers().contentLength();
        if (announced.isEmpty()
                || announced.getAsLong() > MOST_DISCARDED_BYTES
                || request.headers().contains(HeaderNames.EXPECT)) {
            return false;
        }
        byte[] part = new byte[PART_BYTES];
        try (TransferDeadline _ = new TransferDeadline(LONGEST)) {
            InputStream body = request.content().inputStream();
            while (body.read(part) >= 0) {
                // Dropped.
            }
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "The rest of a body cannot be read.", e);
            return false;
        }
    }

    private static InvalidValueException brokeOff(Exception cause) {
        return new InvalidValueException(ErrorCode.NOT_JSON, "The request's body broke off.", cause);
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

    /** Malformed bytes leave replacement characters in the quick way of reading; only then is it worth looking closely. */
    private static String text(byte[] bytes, int count) {
        String text = new String(bytes, 0, count, StandardCharsets.UTF_8);
        return text.indexOf(REPLACEMENT) < 0 ? text : strictly(ByteBuffer.wrap(bytes, 0, count));
    }

    private static String strictly(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(bytes)
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidValueException(ErrorCode.NOT_JSON, "The request's body is not UTF-8.", e);
        }
    }

    /** Answers with this. */
    public static void send(ServerResponse response, Json answer) {
        send(response, JSON, answer.text());
    }

    /** Answers with this text of JSON, of whatever kind. */
    public static void send(ServerResponse response, String mediaType, String text) {
        response.header(HeaderNames.CONTENT_TYPE, mediaType);
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        response.header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
        send(response, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers with these bytes; whoever takes too long to read them is cut off. */
    public static void send(ServerResponse response, byte[] bytes) {
        try (TransferDeadline _ = new TransferDeadline(LONGEST)) {
            response.send(bytes);
        }
    }
}
