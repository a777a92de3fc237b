package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Opened;
import io.perdure.core.Perdure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.http.ControlledConnection;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a request that waits when its caller hangs up. */
class HangUpTest {
    @TempDir
    private Path directory;

    private final Waiting waiting = new Waiting(1);
    private FailingStore store;
    private Perdure engine;
    private MessageQueue queue;
    private RestServer server;

    @BeforeEach
    void serve() {
        store = FailingStore.open("jdbc:sqlite:" + directory.resolve("store.db"));
        engine = Opened.over(store).serve();
        queue = engine.createQueue("mails");
        server = new RestServer(engine, waiting, new UnderWay(10));
    }

    @AfterEach
    void close() {
        server.close();
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
        store.whenNextLeased(server.connection::hangUp);
        CompletableFuture<Answer> answer = server.asking.later(receive());
        Served.until(() -> waiting.count() == 1);

        queue.send(Json.of("1"));

        assertThat(answer.join().body()).isEqualTo("{\"messages\":[]}");
        Delivery delivery = queue.receive(Receiving.upTo(1)).getFirst();
        assertThat(delivery.attempts()).isEqualTo(1);
    }

    @Test
    void receive_whenTheCallerHangsUp_takesNoMessageThatComesLater() {
        CompletableFuture<Answer> answer = server.asking.later(receive());
        Served.until(() -> server.connection.watchers() == 1);

        server.connection.hangUp();
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
        assertThat(server.asking.ask(purge).status()).isEqualTo(200);
        CompletableFuture<Answer> again = server.asking.later(purge);
        Served.until(() -> server.connection.watchers() == 1);

        server.connection.hangUp();

        assertThat(again.join().code()).isEqualTo("PD-201");
        assertThat(waiting.count()).isZero();
    }
}
