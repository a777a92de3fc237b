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
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
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
     * @param ssl whom to trust over {@code https}; absent for those whom this process trusts anyhow
     */
    Transport(URI base, @Nullable String key, @Nullable SSLContext ssl, Environment environment) {
        if (base.getHost() == null || !("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
            throw InvalidValueException.ofField("server", "is no URL such as http://127.0.0.1:7450: " + base);
        }
        String text = base.toString();
        this.base = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        this.key = key;
        this.environment = environment;
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER);
        if (ssl != null) {
            client.sslContext(ssl);
        }
        this.http = client.build();
    }

    Environment environment() {
        return environment;
    }

    /**
     * Asks the server once, and answers what it says; an answer without a body is JSON's {@code null}. Throws what the server refused it with. Who is
     * interrupted hears that the outcome is unknown; the flag stays set.
     */
    Json send(HttpRequest request, Duration timeout) {
        // The client's own timeout ends with the headers of the answer; the body may never come either.
        return switch (reply(request, begin(request), timeout)) {
            case Reply.Answered(Json answer) -> answer;
            case Reply.Refused(PerdureException why) -> throw why;
            case Reply.NotNow(PerdureException why, var _) -> throw why;
        };
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
                || cause instanceof UnresolvedAddressException
                // The server takes nothing before both have agreed on whom they speak to.
                || cause instanceof SSLHandshakeException;
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
