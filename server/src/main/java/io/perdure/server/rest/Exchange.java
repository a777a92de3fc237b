package io.perdure.server.rest;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.perdure.core.Perdure;
import io.perdure.core.store.RequestAnswer;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Sha256;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.RestHeaders;
import io.perdure.server.http.Bodies;
import io.perdure.server.http.Caller;
import io.perdure.server.http.Query;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One request and its answer. For one thread. */
final class Exchange {
    static final HeaderName REQUEST_ID = HeaderNames.create(RestHeaders.REQUEST);
    private static final HeaderName CONSUMER_ID = HeaderNames.create(RestHeaders.CONSUMER);
    private static final Json NO_FIELDS = Json.of("{}");
    private static final HeaderName TRACEPARENT = HeaderNames.create(TraceContext.TAG);
    private static final HeaderName TRACESTATE = HeaderNames.create(TraceContext.STATE_TAG);
    private static final HeaderName AGAIN = HeaderNames.create(RestHeaders.AGAIN);
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int UUID_CHARACTERS = 36;

    private final Site site;
    private final ServerRequest request;
    private final ServerResponse response;
    private final Map<String, String> path;
    private final Query query;
    private final @Nullable Caller caller;
    private final UnderWay.Place place;
    private @Nullable Json body;
    private Witness witness = Witness.NOBODY;

    /**
     * A request that was admitted.
     *
     * @param path what stands in the path for each name in braces
     * @param caller absent where everybody may ask
     * @param place what it has while it is under way
     */
    Exchange(
            Site site,
            ServerRequest request,
            ServerResponse response,
            Map<String, String> path,
            Query query,
            @Nullable Caller caller,
            UnderWay.Place place) {
        this.site = site;
        this.request = request;
        this.response = response;
        this.path = path;
        this.query = query;
        this.caller = caller;
        this.place = place;
    }

    Site site() {
        return site;
    }

    Query query() {
        return query;
    }

    ServerResponse response() {
        return response;
    }

    TenantId tenant() {
        if (caller == null) {
            throw new IllegalStateException("This operation is for everybody, who has no tenant.");
        }
        return caller.tenant();
    }

    /** The engine of the caller's tenant. */
    Perdure engine() {
        return site.engines().apply(tenant());
    }

    /** What the path has for this name, as what it means there; an error of that bears the name. */
    <T> T path(String name, Function<String, T> parse) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalStateException("The path of this operation has no {" + name + "}.");
        }
        try {
            return parse.apply(value);
        } catch (InvalidValueException e) {
            throw e.in(name);
        }
    }

    /** Whether the path has something for this name. */
    boolean hasPath(String name) {
        return path.containsKey(name);
    }

    Json body() {
        Json read = body == null ? Bodies.json(request, site.maxBodyBytes(), place) : body;
        body = read;
        return read;
    }

    Optional<Json> bodyIfAny() {
        Optional<Json> read = body == null ? Bodies.jsonIfAny(request, site.maxBodyBytes(), place) : Optional.of(body);
        body = read.orElse(null);
        return read;
    }

    /** The same digits for the same method, path, query and body, and others for others. */
    String digest() {
        var prologue = request.prologue();
        return Sha256.hex(String.join(
                "\n",
                prologue.method().text(),
                prologue.uriPath().rawPath(),
                prologue.query().rawValue(),
                bodyIfAny().map(Json::text).orElse("")));
    }

    /** Takes a place again after a wait; throws {@code PD-605} if there is none. */
    void goOn() {
        place.goesOn();
    }

    /** From now on this hears first what is answered. */
    void witnessedBy(Witness other) {
        witness = other;
    }

    Witness witness() {
        return witness;
    }

    /** Waits as {@link Waiting#await} does; one that waits does not count as under way. */
    <T> T await(Duration atMost, Function<Duration, T> wait) {
        return await(atMost, wait, UnaryOperator.identity());
    }

    /** Waits as {@link Waiting#await} does, and takes back what came for a caller that has hung up. */
    <T> T await(Duration atMost, Function<Duration, T> wait, UnaryOperator<T> unheard) {
        if (!atMost.isZero()) {
            place.waits();
        }
        return site.waiting().await(tenant(), atMost, wait, unheard);
    }

    /** The fields of the body; none where there is no body. */
    FieldReader fields(String... known) {
        return allFields().requireOnly(known);
    }

    /** The same, known or not. */
    FieldReader allFields() {
        return FieldReader.of(bodyIfAny().orElse(NO_FIELDS));
    }

    /** For an operation that needs no body, though one without fields does no harm. */
    void requireNoFields() {
        for (String name : allFields().names()) {
            throw InvalidValueException.ofField(name, "is not known here; no fields are.");
        }
    }

    /** What the caller calls this request, the same each time it is sent; {@code PD-609} for what is no UUID. */
    Optional<UUID> requestId() {
        return header(REQUEST_ID);
    }

    /** What the caller calls itself, the same for all receives that go on where the one before stopped; {@code PD-609} for what is no UUID. */
    Optional<UUID> consumerId() {
        return header(CONSUMER_ID);
    }

    /** Where the caller stands in a trace. One that cannot be read is none, and a state may come in several headers: W3C has it so. */
    Optional<TraceContext> trace() {
        List<String> given = request.headers().values(TRACEPARENT);
        return given.size() == 1
                ? TraceContext.parse(given.getFirst())
                        .map(caller ->
                                caller.with(String.join(",", request.headers().values(TRACESTATE))))
                : Optional.empty();
    }

    private Optional<UUID> header(HeaderName name) {
        List<String> given = request.headers().values(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (given.size() == 1) {
            try {
                return Optional.of(uuid(given.getFirst()));
            } catch (InvalidValueException _) {
                // Said below.
            }
        }
        throw InvalidValueException.ofField(name.defaultCase(), "must be one UUID.");
    }

    /** What a text of 36 characters names; {@code PD-006} where it is no UUID. */
    static UUID uuid(String text) {
        try {
            if (text.length() == UUID_CHARACTERS) {
                return UUID.fromString(text);
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw new InvalidValueException(ErrorCode.INVALID_ID, "It is no UUID.");
    }

    /** Whether the caller says that an earlier try of this may have arrived; {@code PD-609} for anything but true or false. */
    boolean isSentAgain() {
        List<String> given = request.headers().values(AGAIN);
        if (!Set.of("true", "false").containsAll(given)) {
            throw InvalidValueException.ofField(AGAIN.defaultCase(), "must be true or false.");
        }
        return given.contains("true");
    }

    /**
     * Reads what there is to say of something after it was done. Where it cannot be read, that is {@code PD-201}: any other error of the store would say
     * that nothing was done.
     */
    <T> T afterwards(Supplier<T> read) {
        try {
            return read.get();
        } catch (StoreException e) {
            throw new StoreException(ErrorCode.OUTCOME_UNKNOWN, "What became of it cannot be read: " + e.what(), e);
        }
    }

    /** Whether the caller wants to be told how far it has come, a line each time. */
    boolean wantsLines() {
        return Progress.isAccepted(request.headers().values(HeaderNames.ACCEPT));
    }

    void header(HeaderName name, String value) {
        response.header(name, value);
    }

    void answer(Json json) {
        answer(OK, json);
    }

    void answer(int status, Json json) {
        witness.answers(new RequestAnswer(status, Bodies.JSON, json.text()));
        place.answering();
        response.status(status);
        if (isHead()) {
            response.header(HeaderNames.CONTENT_TYPE, "application/json");
            response.contentLength(json.bytes());
            response.send();
        } else {
            Bodies.send(response, json);
        }
    }

    /** Answers that it was done, and nothing else. */
    void answerDone() {
        RequestAnswer answer = new RequestAnswer(NO_CONTENT, "", "");
        witness.answers(answer);
        answer(answer);
    }

    /** Answers what was answered before. */
    void answer(RequestAnswer before) {
        place.answering();
        response.status(before.status());
        if (before.mediaType().isEmpty()) {
            response.send();
        } else {
            Bodies.send(response, before.mediaType(), before.body());
        }
    }

    /** Answers with a text of another kind. */
    void answer(String mediaType, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.header(HeaderNames.CONTENT_TYPE, mediaType);
        response.header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
        if (isHead()) {
            response.contentLength(bytes.length);
            response.send();
        } else {
            Bodies.send(response, bytes);
        }
    }

    private boolean isHead() {
        return request.prologue().method().equals(Method.HEAD);
    }
}
