package io.perdure.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a server over plain HTTP, as programs in other languages do, and checks each answer against the OpenAPI document. */
final class Asking implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI server;

    Asking(URI server) {
        this.server = server;
    }

    /** What a server answered. */
    record Answer(int status, String body, HttpHeaders headers) {
        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        String mediaType() {
            return headers.firstValue("Content-Type").orElse("none").replaceAll(";.*", "");
        }

        String code() {
            return json().path("code").asString("none");
        }
    }

    /** What is asked; a body is JSON unless the headers say otherwise. */
    record Request(String method, String path, @Nullable String body, List<String> headers) {
        Request(String method, String path) {
            this(method, path, null, List.of());
        }

        Request(String method, String path, @Nullable String body) {
            this(method, path, body, List.of());
        }

        Request with(String name, String value) {
            List<String> more = new ArrayList<>(headers);
            more.add(name);
            more.add(value);
            return new Request(method, path, body, more);
        }

        Request key(@Nullable String token) {
            return token == null ? this : with("Authorization", "Bearer " + token);
        }

        Request path(String other) {
            return new Request(method, other, body, headers);
        }

        Request body(@Nullable String other) {
            return new Request(method, path, other, headers);
        }
    }

    Answer ask(Request request) {
        try {
            return answer(request, http.send(http(request), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Answer ask(String method, String path) {
        return ask(new Request(method, path));
    }

    Answer ask(String method, String path, String body) {
        return ask(new Request(method, path, body));
    }

    CompletableFuture<Answer> later(Request request) {
        return http.sendAsync(http(request), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> answer(request, response));
    }

    private static Answer answer(Request request, HttpResponse<String> response) {
        Answer answer = new Answer(response.statusCode(), response.body(), response.headers());
        AnswerCheck.require(new AnswerCheck.Seen(
                request.method(), request.path(), answer.status(), answer.mediaType(), answer.body()));
        return answer;
    }

    private HttpRequest http(Request request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server + request.path()))
                .timeout(PATIENCE)
                .method(
                        request.method(),
                        request.body() == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(request.body()));
        if (request.body() != null && !request.headers().contains("Content-Type")) {
            builder.header("Content-Type", "application/json");
        }
        for (int i = 0; i < request.headers().size(); i += 2) {
            builder.header(request.headers().get(i), request.headers().get(i + 1));
        }
        return builder.build();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
