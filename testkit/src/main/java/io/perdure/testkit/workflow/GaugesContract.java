package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a registry shows of the store as it stands. */
abstract class GaugesContract extends MetersFixture {
    GaugesContract(Supplier<String> freshUrl) {
        super(freshUrl);
    }

    @Test
    final void whatTheStoreHoldsIsShownOfAllTenantsTogether() throws InterruptedException {
        Workflow<String, String> parking = Workflow.named("parking").run(String.class, String.class, (ctx, _) -> {
            ctx.step("twice", () -> {});
            ctx.step("twice", () -> {});
            return "never";
        });
        perdure.register(parking).start();
        perdure.start("order", Json.of("1"), StartOptions.defaults());
        perdure.tenant(new TenantId("acme")).start("order", Json.of("1"), StartOptions.defaults());
        Run<String> parked = perdure.start(parking, "");
        eventually(() -> parked.status() == RunStatus.PARKED);
        MessageQueue mail = perdure.createQueue("mail");
        mail.send(Json.of("1"));
        mail.send(Json.of("2"));
        mail.receive(Receiving.upTo(1));

        awaitShown(2, "workflow.runs.in.flight", "workflow", "order");
        awaitShown(1, "perdure.runs.parked", "workflow", "parking");
        assertThat(shown("workflow.runs.in.flight", "workflow", "parking")).isZero();
        // Nobody serves the one, and the other has nothing to be taken.
        eventually(() -> shown("perdure.runs.oldest.due", "workflow", "order") > 0);
        assertThat(registry.get("perdure.runs.oldest.due")
                        .tag("workflow", "parking")
                        .gauge()
                        .value())
                .isZero();
        awaitShown(1, "perdure.queue.messages", "queue", "mail", "state", "ready");
        awaitShown(1, "perdure.queue.messages", "queue", "mail", "state", "leased");
        eventually(() -> shown("perdure.queue.oldest.age", "queue", "mail") > 0);
    }

    /** Processes over one store say the same of it, whichever of them a tenant that came later works through. */
    @Test
    final void aTenantOfWhomOnlyItsKeyTellsIsShown() throws InterruptedException {
        TenantId acme = new TenantId("acme");
        perdure.keys().create(acme, "theirs", Role.CLIENT, null);
        try (Perdure elsewhere = Perdure.open(url, OpenOptions.defaults().tenant(acme.value()))) {
            elsewhere.start("order", Json.of("1"), StartOptions.defaults());
            elsewhere.createQueue("mail").send(Json.of("1"));
        }

        awaitShown(1, "workflow.runs.in.flight", "workflow", "order");
        awaitShown(1, "perdure.queue.messages", "queue", "mail", "state", "ready");
    }

    @Test
    final void whatComesAndGoesInAQueueIsCounted() throws InterruptedException {
        eventually(() -> {
            perdure.readMeters();
            return registry.find("perdure.workers").gauge() != null;
        });
        MessageQueue mail = perdure.createQueue("mail");
        for (int i = 0; i < 4; i++) {
            mail.send(Json.of("1"));
        }
        List<Delivery> deliveries = mail.receive(Receiving.upTo(3));
        perdure.ackAll(List.of(deliveries.get(0).receipt()));
        perdure.reject(deliveries.get(1).receipt(), "as it should");
        perdure.retry(deliveries.get(2).receipt(), Duration.ZERO, "once more");

        // The figures are also read now and then without being asked to, perhaps in the middle of the above.
        awaitTraffic(4, "mail", "in");
        awaitTraffic(1, "mail", "out");
        awaitTraffic(1, "mail", "retried");
        awaitTraffic(1, "mail", "dead_lettered");
        awaitTraffic(1, "mail.dlq", "in");
    }

    private void awaitTraffic(double messages, String queue, String what) throws InterruptedException {
        eventually(() -> {
            perdure.readMeters();
            return counted("perdure.queue.traffic", "queue", queue, "what", what) == messages;
        });
    }

    @Test
    final void howMuchOfTheRoomForRunsIsInUseIsShown() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Workflow<String, String> staying = Workflow.named("staying").run(String.class, String.class, (ctx, _) -> {
            ctx.step("stay", done::await);
            return "done";
        });
        assertThat(shown("perdure.worker.concurrency")).isZero();
        perdure.register(staying).start();
        Run<String> run = perdure.start(staying, "");
        eventually(() -> shown("perdure.worker.runs") == 1);
        assertThat(shown("perdure.worker.concurrency"))
                .isEqualTo(OpenOptions.defaults().limits().workers().concurrency());
        done.countDown();
        assertThat(run.result(PATIENCE)).isEqualTo("done");
        eventually(() -> shown("perdure.worker.runs") == 0);
    }
}
