package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The code of the guide to the client, which shows its regions, and what comes of it. */
class ClientGuideTest {
    private static final Workflow<String, String> GREETING = Workflow.named("greeting")
            .run(String.class, String.class, (ctx, name) -> {
                return ctx.step("greet", String.class, () -> "Hello " + name);
            });

    private static String greet(String url, String key) {
        // region start
        try (PerdureClient perdure =
                PerdureClient.connect(url, ConnectOptions.defaults().key(key))) {
            Run<String> run =
                    perdure.start(GREETING, "Ann", StartOptions.defaults().idempotencyKey("greet-ann"));
            return run.result(Duration.ofMinutes(1));
        }
        // endregion
    }

    private static int mail(Engine perdure) {
        int dealtWith = 0;
        // region queue
        MessageQueue mail = perdure.createQueue("mail");
        mail.send(Json.of("{\"to\": \"ann@example.com\"}"));
        for (Delivery delivery : mail.receive(Receiving.upTo(10).waiting(Duration.ofSeconds(20)))) {
            dealtWith++;
            delivery.ack();
        }
        // endregion
        return dealtWith;
    }

    @Test
    void aRunIsStartedAndWaitedFor() {
        try (ScriptedServer server = new ScriptedServer()) {
            server.then(exchange -> {
                String id = JsonObject.parse(Json.of(server.asked().getLast().body()))
                        .string("runId");
                ScriptedServer.answer(201, "{\"runId\":\"" + id + "\",\"created\":true,\"status\":\"running\"}")
                        .answer(exchange);
            });
            server.then("{\"status\":\"completed\",\"output\":\"Hello Ann\"}");

            assertThat(greet(server.url(), "pd_test")).isEqualTo("Hello Ann");
        }
    }

    @Test
    void messagesAreSentAndDealtWith() {
        try (ScriptedServer server = new ScriptedServer();
                PerdureClient perdure = server.client()) {
            server.then(ScriptedServer.answer(201, QueueVerbsTest.status("mail")))
                    .then(ScriptedServer.answer(201, QueueVerbsTest.sent(true)))
                    .then(QueueVerbsTest.received(QueueVerbsTest.FIRST, QueueVerbsTest.SECOND))
                    .then("{\"acked\":1,\"late\":[]}")
                    .then("{\"acked\":1,\"late\":[]}");

            assertThat(mail(perdure)).isEqualTo(2);
        }
    }
}
