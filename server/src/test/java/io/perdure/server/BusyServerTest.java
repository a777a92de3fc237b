package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.wire.Terms;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.Document.Described;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that has as much under way as it may refuses what would add to it, and nothing else. */
class BusyServerTest {
    private static final String BODY = "{\"name\":\"mails\"}";

    private static final int PATIENCE_MILLIS = 60_000;

    @TempDir
    private Path directory;

    private Served served;
    private Socket slow;

    /** There is one place, and a request whose body is still to come has it. */
    @BeforeEach
    void serve() throws IOException {
        served = new Served(ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db"))
                .port(0)
                .maxRequests(1));
        slow = new Socket(InetAddress.getLoopbackAddress(), served.server.port());
        slow.setSoTimeout(PATIENCE_MILLIS);
        send("POST /v1/queues HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
                + "Authorization: Bearer " + served.admin + "\r\nContent-Length: " + BODY.length() + "\r\n\r\n");
        Served.until(() -> served.server.underWay() == 1);
    }

    @AfterEach
    void close() throws IOException {
        slow.close();
        served.close();
    }

    private void send(String text) throws IOException {
        slow.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String finish() throws IOException {
        send(BODY);
        slow.shutdownOutput();
        String answer = new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Served.until(() -> served.server.underWay() == 0);
        return answer;
    }

    private Answer ask(Request request) {
        return served.asking.ask(request.key(served.admin));
    }

    @Test
    void everyWriteIsRefusedAsDocumentedUntilThereIsAPlace() throws IOException {
        Scenario scenario = new Scenario(served);
        List<Described> writes = Document.restOperations().stream()
                .filter(operation -> !operation.method().equals("GET"))
                .toList();
        assertThat(writes).hasSizeGreaterThan(20);
        for (Described operation : writes) {
            Answer answer = ask(scenario.good(operation));
            assertThat(answer.status()).as(operation.id()).isEqualTo(429);
            assertThat(answer.code()).as(operation.id()).isEqualTo("PD-605");
            assertThat(operation.codes(429)).as(operation.id()).contains("PD-605");
            assertThat(answer.headers().firstValue("Retry-After"))
                    .as(operation.id())
                    .isPresent();
        }

        assertThat(finish()).startsWith("HTTP/1.1 201 ");
        assertThat(ask(new Request("POST", "/v1/queues", BODY)).status()).isEqualTo(200);
    }

    @Test
    void commitsOfWorkersCountToo() {
        Answer answer = ask(new Request("POST", "/v1/worker/commits", "{\"commits\":[]}")
                .with(Terms.PROTOCOL_HEADER, Integer.toString(Terms.PROTOCOL))
                .with(Terms.WORKER_HEADER, UUID.randomUUID().toString()));
        assertThat(answer.status()).as(answer.body()).isEqualTo(429);
        assertThat(answer.code()).isEqualTo("PD-605");
    }

    @Test
    void whoHasNoKeyHearsOnlyThat() {
        assertThat(served.asking.ask("POST", "/v1/queues", BODY).status()).isEqualTo(401);
    }

    @Test
    void readsGoOn() {
        String run = served.idleRun().toString();
        assertThat(ask(new Request("GET", "/v1/runs/" + run)).status()).isEqualTo(200);
        assertThat(ask(new Request("GET", "/v1/runs/" + run + "/result?wait=0.1"))
                        .status())
                .isEqualTo(202);
    }

    @Test
    void whoWaitsTakesNoPlace() throws IOException {
        String queue = served.queue();
        finish();
        CompletableFuture<Answer> waits = served.asking.later(
                new Request("POST", "/v1/queues/" + queue + "/receive", "{\"wait\":20}").key(served.admin));
        Served.until(() -> served.server.waiting() == 1);
        assertThat(served.server.underWay()).isZero();
        assertThat(ask(new Request("POST", "/v1/queues/" + queue + "/messages", "{\"body\":1}"))
                        .status())
                .isEqualTo(201);
        assertThat(waits.join().json().path("messages").size()).isEqualTo(1);
        assertThat(served.server.underWay()).isZero();
    }
}
