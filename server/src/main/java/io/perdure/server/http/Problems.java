package io.perdure.server.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.perdure.core.store.RequestAnswer;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.RestLimits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.logging.SparingLog;
import io.perdure.sdk.wire.ProblemJson;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers errors as problem documents (RFC 9457). What is no error of ours is a fault: it is logged with all that is known of it, and
 * the caller is told nothing but that. What the store could not do is logged as well; what callers did wrong is not.
 */
public final class Problems {
    private static final SparingLog LOG = new SparingLog(Problems.class, new SystemEnvironment());
    private static final RestLimits LIMITS = Limits.defaults().rest();
    /** What the web server says of them. */
    private static final String TOO_MANY_HEADERS = "Header size exceeded";

    private static final String SEE_LOG = "see server log";
    private static final int LONGEST_WHY = 200;
    private static final String MEDIA_TYPE = "application/problem+json";
    private static final String RETRY_AFTER_SECONDS = "1";
    private static final int LINE_TOO_LONG = 414;
    private static final int UNSUPPORTED = 415;
    private static final int FAULT = 500;

    private Problems() {}

    /** Has every error of these routes answered so, an unknown route included. Register it after all others. */
    public static void register(HttpRouting.Builder routing) {
        routing.error(Throwable.class, Problems::send);
        routing.any((request, _) -> {
            throw noSuchRoute(request);
        });
    }

    /**
     * Returns what answers requests that come to no route, because they cannot be read.
     *
     * @param answered is told the status of each answer
     */
    public static DirectHandlers ofUnreadable(IntConsumer answered) {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
            handlers.addHandler(type, direct(answered));
        }
        return handlers.build();
    }

    /** Answers 405 to what comes here, naming the methods that would do. */
    public static Handler onlyAllows(String methods) {
        return (request, response) -> {
            RefusedException error = new RefusedException(
                    ErrorCode.NO_SUCH_ROUTE,
                    "%s does not take %s, only %s."
                            .formatted(request.path().path(), request.prologue().method(), methods));
            response.header(HeaderNames.ALLOW, methods);
            send(request, response, error, HttpStatus.METHOD_NOT_ALLOWED);
        };
    }

    /** The error that a throwable is for a caller. */
    public static PerdureException error(@Nullable ServerRequest request, Throwable thrown) {
        return switch (thrown) {
            case PerdureException ours -> ours;
            case HttpException http
            when http.status().code() < FAULT -> refused(request, http.status().code(), http);
            case RequestException bad
            when bad.status().code() < FAULT -> refused(request, bad.status().code(), bad);
            case Throwable fault -> {
                LOG.log(Level.ERROR, () -> "A request could not be answered: a fault in Perdure.", fault);
                yield new StoreException(ErrorCode.FAULT, "The server could not answer; its log says why.");
            }
        };
    }

    /** What is answered to whoever meets this error. */
    public static RequestAnswer answer(PerdureException error) {
        int status = HttpStatus.of(error.code());
        return new RequestAnswer(
                status, MEDIA_TYPE, ProblemJson.write(error, status).text());
    }

    private static PerdureException refused(
            @Nullable ServerRequest request, int status, @Nullable RuntimeException cause) {
        return switch (status) {
            case 404 -> noSuchRoute(request);
            case 413 ->
                new InvalidValueException(
                        ErrorCode.BODY_TOO_LARGE, "The request is larger than the server takes.", cause);
            case UNSUPPORTED ->
                new InvalidValueException(ErrorCode.WRONG_MEDIA_TYPE, "The request's body cannot be read.", cause);
            default -> new InvalidValueException(ErrorCode.NOT_JSON, "The request cannot be read.", cause);
        };
    }

    private static RefusedException noSuchRoute(@Nullable ServerRequest request) {
        String asked = request == null
                ? "This"
                : request.prologue().method() + " " + request.path().path();
        return new RefusedException(ErrorCode.NO_SUCH_ROUTE, asked + " is nothing that this server answers.");
    }

    private static void send(ServerRequest request, ServerResponse response, Throwable thrown) {
        PerdureException error = error(request, thrown);
        int status = HttpStatus.of(error.code());
        if (status >= FAULT && error.equals(thrown)) {
            LOG.log(Level.WARNING, () -> "A request could not be answered.", error);
        }
        send(request, response, error, status);
    }

    private static void send(ServerRequest request, ServerResponse response, PerdureException error, int status) {
        if (error.code() == ErrorCode.NO_VALID_KEY) {
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        if (HttpStatus.isPassing(status)) {
            response.header(HeaderNames.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        if (!Bodies.discard(request)) {
            // What was not read of the body must not be taken for the next request.
            response.header(HeaderNames.CONNECTION, "close");
        }
        response.status(status);
        response.header(HeaderNames.CONTENT_TYPE, MEDIA_TYPE);
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        response.header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
        byte[] problem = ProblemJson.write(error, status).text().getBytes(StandardCharsets.UTF_8);
        if (request.prologue().method().equals(Method.HEAD)) {
            response.contentLength(problem.length);
            response.send();
        } else {
            Bodies.send(response, problem);
        }
    }

    /** Answers what never comes to a route, such as a request that is no HTTP. */
    private static DirectHandler direct(IntConsumer answered) {
        return (request, type, status, headers, why) -> {
            PerdureException error = unreadable(request, type, status.code(), why);
            int code = HttpStatus.of(error.code());
            answered.accept(code);
            return DirectHandler.TransportResponse.builder()
                    .status(Status.create(code))
                    .headers(headers)
                    .header(HeaderNames.CONTENT_TYPE, MEDIA_TYPE)
                    .header(HeaderNames.CONNECTION, "close")
                    .keepAlive(false)
                    .entity(ProblemJson.write(error, code).text().getBytes(StandardCharsets.UTF_8))
                    .build();
        };
    }

    private static PerdureException unreadable(
            DirectHandler.TransportRequest request, DirectHandler.EventType type, int status, @Nullable String why) {
        // A body that is compressed is refused before any route sees it.
        if (request.headers().contains(HeaderNames.CONTENT_ENCODING)) {
            return refused(null, UNSUPPORTED, null);
        }
        String what;
        if (status == LINE_TOO_LONG) {
            what = "Its request line has more than " + LIMITS.lineBytes() + " bytes.";
        } else if (TOO_MANY_HEADERS.equals(why)) {
            what = "Its headers have more than " + LIMITS.headersBytes() + " bytes.";
        } else if (type == DirectHandler.EventType.HTTP_VERSION_NOT_SUPPORTED) {
            what = "HTTP/1.0 is taken only for the first request of a connection.";
        } else if (why != null && why.length() <= LONGEST_WHY && !why.contains(SEE_LOG)) {
            what = why + ".";
        } else {
            what = "Its request line or a header is malformed, or its version is neither 1.1 nor 1.0.";
        }
        return new InvalidValueException(ErrorCode.MALFORMED_REQUEST, "The request is not valid HTTP. " + what);
    }
}
