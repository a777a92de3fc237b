package io.perdure.server.worker;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.wire.Terms;
import io.perdure.server.AnswerCheck;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Sends any request that a worker can send, and checks each answer against the OpenAPI document. */
final class RawWorker implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;
    private final String id = UUID.randomUUID().toString();

    RawWorker(int port) {
        this.port = port;
    }

    /** An answer, taken apart where it is JSON. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        JsonObject json() {
            return JsonObject.parse(Json.of(response.body()));
        }

        String code() {
            return json().string("code");
        }
    }

    Answer post(String route, String body) throws IOException, InterruptedException {
        return post(route, BodyPublishers.ofString(body), request -> request);
    }

    /** With its headers changed. */
    Answer post(String route, BodyPublisher body, UnaryOperator<HttpRequest.Builder> change)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request(route)
                .header("Content-Type", "application/json")
                .header(Terms.PROTOCOL_HEADER, "1")
                .header(Terms.WORKER_HEADER, id)
                .POST(body);
        return send(change.apply(request));
    }

    HttpRequest.Builder request(String route) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + WorkerRoutes.PATH + route));
    }

    Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpRequest built = request.build();
        HttpResponse<String> response = http.send(built, BodyHandlers.ofString());
        AnswerCheck.require(new AnswerCheck.Seen(
                built.method(),
                built.uri().getRawPath(),
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse("none").replaceAll(";.*", ""),
                response.body()));
        return new Answer(response);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
