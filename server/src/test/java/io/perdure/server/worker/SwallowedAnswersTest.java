package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import io.perdure.server.worker.UnreliableProxy.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client whose first answer is lost hears from the second try what the first has done. */
class SwallowedAnswersTest {
    @TempDir
    private Path folder;

    private PerdureServer server;
    private UnreliableProxy proxy;
    private PerdureClient client;
    private MessageQueue there;
    private MessageQueue here;

    @SuppressWarnings("NullAway.Init") // Given by JUnit.
    SwallowedAnswersTest() {}

    @BeforeEach
    void serve() throws Exception {
        server = PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + folder.resolve("app.db")).port(0));
        proxy = new UnreliableProxy(server.port());
        client = PerdureClient.connect("http://127.0.0.1:" + proxy.port(), ConnectOptions.defaults());
        there = server.engine().createQueue("mails", QueueSettings.defaults().retries(0));
        here = client.queue("mails");
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        proxy.close();
        server.close();
    }

    /** Asks while answers are swallowed, and lets them pass once the server has done it. */
    private <T> T swallowed(Supplier<T> ask, BooleanSupplier done) throws Exception {
        proxy.mode(Mode.SWALLOW);
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(ask.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        until(done);
        proxy.mode(Mode.PASS);
        return answer.get();
    }

    private long depth() {
        return there.status().figures().depth();
    }

    @Test
    void aCancelThatWasDoneIsAnsweredSo() throws Exception {
        Run<Json> run = server.engine().start("order", Json.of("1"), StartOptions.defaults());
        assertThat(swallowed(() -> client.cancel(run.id(), "why"), () -> run.status() == RunStatus.CANCELLED))
                .isTrue();
    }

    @Test
    void anAckThatWasDoneIsNotLate() throws Exception {
        there.send(Json.of("1"));
        Delivery delivery = here.receive().getFirst();
        swallowed(
                () -> {
                    delivery.ack();
                    return delivery;
                },
                () -> depth() == 0);
        assertThat(delivery.isSettled()).isTrue();
    }

    @Test
    void aRejectThatWasDoneIsAnsweredSo() throws Exception {
        there.send(Json.of("1"));
        Delivery delivery = here.receive().getFirst();
        assertThat(swallowed(() -> delivery.reject("bad"), () -> depth() == 0)).isEqualTo(Fate.DEAD_LETTERED);
    }

    @Test
    void whatAQueueHasGivenUpIsRedrivenOnce() throws Exception {
        there.send(Json.of("1"));
        there.receive().getFirst().reject("bad");
        assertThat(swallowed(() -> here.deadLetters().redriveAll(_ -> {}), () -> depth() == 1))
                .isEqualTo(1);
        assertThat(swallowed(here::purge, () -> depth() == 0)).isEqualTo(1);
    }

    @Test
    void aRunIsRedrivenOnce() throws Exception {
        CountDownLatch mended = new CountDownLatch(1);
        server.engine()
                .register(Workflow.named("failing").run(Json.class, Json.class, (_, input) -> {
                    if (mended.getCount() > 0) {
                        throw new IllegalStateException("as it should");
                    }
                    return input;
                }))
                .start();
        Run<Json> run = server.engine().start("failing", Json.of("1"), StartOptions.defaults());
        until(() -> run.status() == RunStatus.FAILED);
        mended.countDown();
        swallowed(
                () -> {
                    client.redrive(run.id(), "mended");
                    return run;
                },
                () -> run.status() == RunStatus.COMPLETED);
        assertThat(run.result(Duration.ofSeconds(60))).isEqualTo(Json.of("1"));
        assertThat(redriven(run.id())).isEqualTo(1);
    }

    private long redriven(RunId run) {
        return server.engine().history(run, 0, 100).stream()
                .filter(recorded -> recorded.event() instanceof Event.RunRedriven)
                .count();
    }
}
