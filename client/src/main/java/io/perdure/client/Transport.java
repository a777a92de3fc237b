package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Brings requests to one server and their answers back, over connections that are used again. What it throws is what the engine would
 * have thrown; {@code PD-603} where the server was never reached, {@code PD-201} where it may have been and did not answer. Safe for many
 * threads.
 */
final class Transport implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int MOST_BYTES = Limits.defaults().remote().answerBytes();

    private final URI base;
    private final @Nullable String key;
    private final Environment environment;
    private final HttpClient http;

    /**
     * Nothing is sent yet. {@code PD-609} where the URL is not one of HTTP.
     *
     * @param key what to show to the server; absent where it needs none
     */
    Transport(URI base, @Nullable String key, Environment environment) {
        if (base.getHost() == null || !("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
            throw InvalidValueException.ofField("server", "is no URL such as http://127.0.0.1:7450: " + base);
        }
        String text = base.toString();
        this.base = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        this.key = key;
        this.environment = environment;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    Environment environment() {
        return environment;
    }

    /** {@link #send(String, String, Json, Duration, Repeat, Map)} without headers of its own. */
    Json send(String method, String path, @Nullable Json body, Duration timeout, Repeat how) {
        return send(method, path, body, timeout, how, Map.of());
    }

    /**
     * Asks the server, and answers what it says; an answer without a body is JSON's {@code null}. Throws what the server refused it with. Who is
     * interrupted hears that the outcome is unknown; the flag stays set.
     *
     * @param timeout how long one try may take
     * @param how whether it is tried again where the server is away, or says that it should be
     */
    Json send(
            String method,
            String path,
            @Nullable Json body,
            Duration timeout,
            Repeat how,
            Map<String, String> headers) {
        HttpRequest request = request(method, path, body, headers);
        Patience patience = new Patience(environment, how.patience());
        while (true) {
            Reply reply = once(request, timeout);
            switch (reply) {
                case Reply.Answered(Json answer) -> {
                    return answer;
                }
                case Reply.Refused(PerdureException why) -> throw why;
                case Reply.NotNow(PerdureException why, Duration retryAfter) -> {
                    if (!how.isAllowed() || !patience.pause(retryAfter)) {
                        throw why;
                    }
                }
            }
        }
    }

    /** A request as it goes over the wire. */
    HttpRequest request(String method, String path, @Nullable Json body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .method(
                        method,
                        body == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofByteArray(body.text().getBytes(StandardCharsets.UTF_8)));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        headers.forEach(request::header);
        return request.build();
    }

    private Reply once(HttpRequest request, Duration timeout) {
        // The client's own timeout ends with the headers of the answer; the body may never come either.
        return reply(request, begin(request), timeout);
    }

    /** Asks. */
    CompletableFuture<HttpResponse<byte[]>> begin(HttpRequest request) {
        return begin(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
    }

    /** Asks, and has the body of the answer handled as it comes. */
    CompletableFuture<HttpResponse<byte[]>> begin(HttpRequest request, HttpResponse.BodyHandler<byte[]> body) {
        return http.sendAsync(request, body);
    }

    /** What comes of a request that was begun. */
    Reply reply(HttpRequest request, CompletableFuture<HttpResponse<byte[]>> answer, Duration timeout) {
        try {
            return Reply.of(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            answer.cancel(true);
            return Reply.notNow(unknown(request, "did not answer within " + timeout, e));
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            return new Reply.Refused(unknown(request, "was not waited for: the waiter was interrupted", e));
        } catch (ExecutionException e) {
            return Reply.notNow(failed(request, e.getCause() == null ? e : e.getCause()));
        }
    }

    private PerdureException failed(HttpRequest request, Throwable cause) {
        boolean neverReached = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof UnresolvedAddressException;
        if (neverReached) {
            return new StoreException(
                    ErrorCode.SERVER_UNREACHABLE, "There is no connection to " + base + ": " + cause + ".", cause);
        }
        String why = cause instanceof IOException ? "broke off" : "failed";
        return unknown(request, why + " (" + cause + ")", cause);
    }

    private static StoreException unknown(HttpRequest request, String why, Throwable cause) {
        return new StoreException(
                ErrorCode.OUTCOME_UNKNOWN, "%s %s %s.".formatted(request.method(), request.uri(), why), cause);
    }

    /** Ends what is under way. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
