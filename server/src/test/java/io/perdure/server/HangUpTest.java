package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.WebServer;
import io.perdure.core.Opened;
import io.perdure.core.Perdure;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.http.Caller;
import io.perdure.server.http.ControlledConnection;
import io.perdure.server.http.Pages;
import io.perdure.server.http.Problems;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import io.perdure.server.rest.AtOnce;
import io.perdure.server.rest.Rest;
import io.perdure.server.rest.Site;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a request that waits when its caller hangs up. */
class HangUpTest {
    /** How long a repeated request waits for the first one; longer than a test. */
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private final ControlledConnection connection = new ControlledConnection();
    private final Waiting waiting = new Waiting(1);
    private FailingStore store;
    private Perdure engine;
    private MessageQueue queue;
    private WebServer web;
    private Asking asking;

    @BeforeEach
    void serve() {
        store = FailingStore.open("jdbc:sqlite:" + directory.resolve("store.db"));
        engine = Opened.over(store).serve();
        queue = engine.createQueue("mails");
        Site site = new Site(
                engine::tenant,
                _ -> new Caller(TenantId.DEFAULT, Role.ADMIN, "test"),
                engine.keys(),
                waiting,
                new UnderWay(10),
                new Pages(),
                new AtOnce(new SystemEnvironment()),
                1_000_000,
                LONG);
        Rest rest = new Rest(site, () -> true, () -> true, () -> "");
        web = WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .shutdownHook(false)
                .routing(routing -> {
                    routing.addFilter(connection.filter());
                    rest.register(routing);
                    Problems.register(routing);
                })
                .build()
                .start();
        asking = new Asking(URI.create("http://127.0.0.1:" + web.port()));
    }

    @AfterEach
    void close() {
        asking.close();
        web.stop();
        engine.close();
    }

    private static Request controlled(String method, String path, String body) {
        return new Request(method, path, body).with(ControlledConnection.HEADER, "yes");
    }

    private static Request receive() {
        return controlled("POST", "/v1/queues/mails/receive", "{\"wait\":20}");
    }

    @Test
    void receive_whenTheCallerHangsUpAsMessagesCome_givesThemBackUncounted() {
        store.whenNextLeased(connection::hangUp);
        CompletableFuture<Answer> answer = asking.later(receive());
        Served.until(() -> waiting.count() == 1);

        queue.send(Json.of("1"));

        assertThat(answer.join().body()).isEqualTo("{\"messages\":[]}");
        Delivery delivery = queue.receive(Receiving.upTo(1)).getFirst();
        assertThat(delivery.attempts()).isEqualTo(1);
    }

    @Test
    void receive_whenTheCallerHangsUp_takesNoMessageThatComesLater() {
        CompletableFuture<Answer> answer = asking.later(receive());
        Served.until(() -> connection.watchers() == 1);

        connection.hangUp();
        Served.until(() -> waiting.count() == 0);
        queue.send(Json.of("1"));

        assertThat(answer.join().body()).isEqualTo("{\"messages\":[]}");
        assertThat(queue.receive(Receiving.upTo(1))).hasSize(1);
    }

    /** The first request has its id and never gets an answer. */
    @Test
    void repeatedRequest_whenTheCallerHangsUp_waitsForTheFirstNoLonger() {
        Request purge = controlled("POST", "/v1/queues/mails/purge", "{}")
                .with("Perdure-Request", "0199d0a0-8000-7000-8000-0000000000aa");
        store.failsToAnswer(true);
        assertThat(asking.ask(purge).status()).isEqualTo(200);
        CompletableFuture<Answer> again = asking.later(purge);
        Served.until(() -> connection.watchers() == 1);

        connection.hangUp();

        assertThat(again.join().code()).isEqualTo("PD-201");
        assertThat(waiting.count()).isZero();
    }
}
