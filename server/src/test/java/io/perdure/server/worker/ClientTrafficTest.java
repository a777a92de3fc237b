package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.PATIENCE;
import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.PerdureClient;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the Java client and a server send each other is as the OpenAPI document describes it. */
class ClientTrafficTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    @TempDir
    Path folder;

    private PerdureServer server;
    private CheckingProxy proxy;
    private PerdureClient client;

    @SuppressWarnings("NullAway.Init") // Given by JUnit, and opened before each test.
    ClientTrafficTest() {}

    @BeforeEach
    void open() throws IOException {
        server = PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + folder.resolve("app.db")).port(0));
        proxy = new CheckingProxy(server.port());
        client = PerdureClient.connect("http://127.0.0.1:" + proxy.port());
    }

    @AfterEach
    void close() {
        client.close();
        proxy.close();
        server.close();
    }

    @Test
    void runs_startedReadChangedAndListed_travelAsDocumented() throws InterruptedException {
        Workflow<String, String> failing = Workflow.named("failing").run(String.class, String.class, (context, _) -> {
            context.step("one", String.class, () -> "done");
            throw new IllegalStateException("as it should");
        });
        Workflow<String, String> parking = Workflow.named("parking").run(String.class, String.class, (context, _) -> {
            context.step("twice", () -> {});
            context.step("twice", () -> {});
            return "never";
        });
        client.register(failing).register(parking).start();
        Run<String> failed = client.start(failing, "in", StartOptions.defaults().tag("city", "ulm"));
        Run<String> parked = client.start(parking, "in");
        until(() -> failed.status() == RunStatus.FAILED && parked.status() == RunStatus.PARKED);
        Run<Json> idle = client.start(
                "order",
                Json.of("{\"amount\":1}"),
                StartOptions.defaults().workflowId("order-17").deadline(PATIENCE));

        client.signal(idle.id(), "paid", 1);
        client.signal(idle.id(), "paid", 1, "once");
        client.operations().check(parked.id(), 1);
        client.redrive(failed.id(), "again");
        client.resume(parked.id(), "again");
        assertThat(failed.steps()).hasSize(1);
        assertThat(failed.history(1)).isNotEmpty();
        assertThat(client.runs(RunFilter.all().workflow("order"), 1).runs()).hasSize(1);
        assertThat(client.count(RunFilter.all())).isEqualTo(3);
        assertThat(client.runCounts()).isNotEmpty();
        assertThat(client.operations().workers()).hasSize(1);
        client.operations().recover();
        client.operations().recovered();
        client.operations().inBulk(BulkAction.CANCEL, RunFilter.all().workflow("order"), "enough", _ -> {});
        assertThat(client.cancel(idle.id(), "enough")).isFalse();

        assertThat(proxy.faults()).isEmpty();
    }

    @Test
    void messages_sentReceivedSettledAndRedriven_travelAsDocumented() {
        MessageQueue queue =
                client.createQueue("mails", QueueSettings.defaults().retries(0));
        queue.send(Outgoing.of(Json.of("{\"to\":\"ada\"}"))
                .header("kind", "welcome")
                .group("ada")
                .deduplicationId("one"));
        queue.sendAll(List.of(Outgoing.of(Json.of("1")), Outgoing.of(Json.of("2")), Outgoing.of(Json.of("3"))));
        List<Delivery> received = queue.receive(Receiving.upTo(4));
        assertThat(received).hasSize(4);

        client.extend(received.getFirst().receipt(), PATIENCE);
        client.extendAll(List.of(received.getFirst().receipt()), PATIENCE);
        client.reject(received.get(0).receipt(), "as it should");
        client.reject(received.get(1).receipt(), "as it should");
        client.release(received.get(2).receipt());
        client.ackAll(List.of(received.get(3).receipt()));
        assertThat(queue.deadLetters().list(1).messages()).hasSize(1);
        assertThat(queue.deadLetters().count(Json.of("{\"to\":\"ada\"}"))).isEqualTo(1);
        assertThat(queue.deadLetters().redriveAll(Json.of("{\"to\":\"ada\"}"))).isEqualTo(1);
        assertThat(queue.deadLetters().discardAll()).isEqualTo(1);
        client.retry(queue.receive().getFirst().receipt(), MOMENT, "as it should");
        assertThat(queue.messages(10).messages()).isNotEmpty();
        queue.update(QueueSettings.defaults().retries(3));
        assertThat(client.queues()).isNotEmpty();
        assertThat(queue.status().figures().depth()).isPositive();
        queue.purge();
        queue.deadLetters().discardAll();
        queue.delete();

        assertThat(proxy.faults()).isEmpty();
    }

    @Test
    void key_created_travelsAsDocumented() {
        client.keys().create("ops", Role.ADMIN, PATIENCE);

        assertThat(proxy.faults()).isEmpty();
    }
}
