package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.sdk.Limits;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a consumer has to do with its server: that goes away and comes back, and is told when nobody waits any more. */
class HttpConsumerTest {
    private static final int ROUNDS = 20;
    private static final String POLL = "5f0c9a4e-3c1e-4a55-9d5e-2f8f1f1f7a10";
    private static final String END = "{\"request\":\"" + POLL + "\"}";

    private static final Workflow<Integer, Integer> MANY_STEPS = Workflow.named("many_steps")
            .run(Integer.class, Integer.class, (ctx, first) -> {
                int last = first;
                while (last < 50_000) {
                    int next = last + 1;
                    last = ctx.step("count-" + next, Integer.class, () -> next);
                }
                return last;
            });

    @TempDir
    private Path directory;

    private PerdureServer server;
    private PerdureClient client;
    private MessageQueue mail;

    @BeforeEach
    void serve() {
        server = start(0);
        client = PerdureClient.connect(server.url().toString());
        mail = client.createQueue("mail", QueueSettings.defaults().retries(0));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private PerdureServer start(int port) {
        return PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(port));
    }

    @Test
    void close_whileAHandlerRuns_letsGoOfRunsAtTheirNextStep() throws InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        Run<Integer> run;
        CompletableFuture<Boolean> letGo = new CompletableFuture<>();
        try (PerdureClient closing = PerdureClient.connect(server.url().toString())) {
            run = closing.register(MANY_STEPS).start().start(MANY_STEPS, 0);
            Served.until(() -> closing.working() == 1);
            closing.consume("mail", _ -> {
                handling.countDown();
                try {
                    Served.until(() -> closing.working() == 0);
                    letGo.complete(true);
                } catch (RuntimeException | Error e) {
                    letGo.completeExceptionally(e);
                }
            });
            mail.send(Json.number(1));
            handling.await();
        }

        assertThat(letGo.join()).isTrue();
        assertThat(client.run(run.id()).info().status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    void aServerThatGoesAndComesBackIsOutlived() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Queue<Json> handled = new ConcurrentLinkedQueue<>();
        mail.send(Json.number(1));
        QueueConsumer consumer = client.consume("mail", delivery -> {
            begun.countDown();
            goOn.await();
            handled.add(delivery.body());
        });
        begun.await();
        int port = server.port();

        server.close();
        goOn.countDown();
        server = start(port);
        mail.send(Json.number(2));

        Served.until(() -> consumer.figures().handled() == 2);
        assertThat(handled).containsExactlyInAnyOrder(Json.number(1), Json.number(2));
        assertThat(consumer.figures().lost()).isZero();
    }

    @Test
    void whoClosesAConsumerWhileTheServerIsAwayIsNotHeldUp() {
        ConnectOptions patient = ConnectOptions.defaults().patience(Duration.ofSeconds(150));
        try (PerdureClient other = PerdureClient.connect(server.url().toString(), patient)) {
            QueueConsumer consumer = other.consume("mail", _ -> {});
            Served.until(() -> server.waiting() == 1);
            server.close();

            // Long before its patience ends.
            assertTimeoutPreemptively(Duration.ofSeconds(75), consumer::close);
        }
    }

    @Test
    void nothingWaitsAtTheServerForAConsumerThatIsClosed() {
        QueueConsumer consumer = client.consume("mail", _ -> {});
        Served.until(() -> server.waiting() == 1);

        consumer.close();

        // A poll that the client does not wait for any more ends at the server a moment later.
        Served.until(() -> server.waiting() == 0);
    }

    @Test
    void aReceiveIsEndedByWhoKnowsItsId() {
        try (Asking asking = new Asking(server.url())) {
            CompletableFuture<Answer> poll = asking.later(
                    new Request("POST", "/v1/queues/mail/receive", "{\"wait\":20}").with("Perdure-Request", POLL));
            Served.until(() -> server.waiting() == 1);

            String other = END.replace('5', '6');
            assertThat(asking.ask("POST", "/v1/queues/mail/receive/end", other).body())
                    .isEqualTo("{\"ended\":false}");
            Served.until(() -> asking.ask("POST", "/v1/queues/mail/receive/end", END)
                    .body()
                    .equals("{\"ended\":true}"));

            assertThat(poll.join().body()).isEqualTo("{\"messages\":[]}");
        }
    }

    @Test
    void aReceiveOfAnotherTenantIsNotEnded() {
        Served served = new Served(ServerOptions.of("jdbc:sqlite:" + directory.resolve("tenants.db"))
                .port(0));
        try (served) {
            String create = "{\"name\":\"mail\"}";
            served.asking.ask(new Request("POST", "/v1/queues", create).key(served.admin));
            served.asking.ask(new Request("POST", "/v1/queues", create).key(served.stranger));
            CompletableFuture<Answer> poll =
                    served.asking.later(new Request("POST", "/v1/queues/mail/receive", "{\"wait\":20}")
                            .with("Perdure-Request", POLL)
                            .key(served.admin));
            Served.until(() -> served.server.waiting() == 1);
            Request end = new Request("POST", "/v1/queues/mail/receive/end", END);

            assertThat(served.asking.ask(end.key(served.stranger)).body()).isEqualTo("{\"ended\":false}");
            Served.until(() -> served.asking.ask(end.key(served.client)).body().equals("{\"ended\":true}"));

            assertThat(poll.join().body()).isEqualTo("{\"messages\":[]}");
        }
    }

    @Test
    void theReceivesOfOneConsumerGoOnWhereTheOneBeforeStopped() {
        int looks = 3;
        List<Outgoing> others = Collections.nCopies(100, Outgoing.of(Json.of("{\"to\":\"ann\"}")));
        for (int sent = 0; sent < (looks - 1) * Limits.defaults().queues().examinedMessages(); sent += others.size()) {
            mail.sendAll(others);
        }
        mail.send(Json.of("{\"to\":\"bob\"}"));
        try (Asking asking = new Asking(server.url())) {
            Request receive = new Request("POST", "/v1/queues/mail/receive", "{\"match\":{\"to\":\"bob\"}}");
            for (int look = 1; look < looks; look++) {
                assertThat(asking.ask(receive.with("Perdure-Consumer", POLL)).body())
                        .isEqualTo("{\"messages\":[]}");
                assertThat(asking.ask(receive).body()).isEqualTo("{\"messages\":[]}");
            }

            assertThat(asking.ask(receive).body())
                    .as("who has no id starts over")
                    .isEqualTo("{\"messages\":[]}");
            assertThat(asking.ask(receive.with("Perdure-Consumer", POLL)).body())
                    .contains("bob");
            assertThat(asking.ask(receive.with("Perdure-Consumer", "bob")).status())
                    .isEqualTo(422);
        }
    }

    @Test
    void anAnswerSaysHowLongItsMessagesWereNotLeased() {
        try (Asking asking = new Asking(server.url())) {
            double waited = 0;
            // A request counts as waiting a moment before its own clock begins.
            for (int round = 0; round < ROUNDS && waited < 0.3; round++) {
                CompletableFuture<Answer> poll =
                        asking.later(new Request("POST", "/v1/queues/mail/receive", "{\"wait\":20}"));
                Served.until(() -> server.waiting() == 1);
                long waiting = System.nanoTime();
                Served.until(() ->
                        System.nanoTime() - waiting > Duration.ofMillis(300).toNanos());

                mail.send(Json.number(round));

                waited = poll.join().json().path("waited").asDouble();
            }
            assertThat(waited).isBetween(0.3, 20.0);
        }
    }
}
