package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Consumers, runs and the engines of all tenants have one time to drain together when the engine is closed. */
@Timeout(120)
class SharedDrainTest extends ConsumerFixture {
    private static final String CLOSER = "closer";

    private final Gate step = new Gate();
    private final Gate handler = new Gate();
    private final AtomicBoolean nextStep = new AtomicBoolean();
    private final AtomicInteger stubbornSteps = new AtomicInteger();

    private final Workflow<Json, String> workflow = Workflow.named("two").run(Json.class, String.class, (ctx, _) -> {
        ctx.step("first", () -> step.pass("step"));
        ctx.step("second", () -> nextStep.set(true));
        return "done";
    });

    @Test
    void close_whileAHandlerRuns_letsGoOfRunsMeanwhile() throws InterruptedException {
        perdure.register(workflow).start();
        perdure.start(workflow, Json.NULL);
        step.awaitReached();
        send(1);
        QueueConsumer consumer = perdure.consume("mail", handler::pass);
        handler.awaitReached();
        Thread closer = time.start(CLOSER, perdure::close);
        time.awaitIdle(CLOSER, 1);

        step.open();
        until(() -> perdure.working() == 0);
        assertThat(nextStep).isFalse();
        assertThat(consumer.figures().inHand()).isEqualTo(1);
        handler.open();
        passUntilEnd(closer);

        assertThat(consumer.figures().handled()).isEqualTo(1);
    }

    @Test
    void close_withHandlersOfSeveralTenants_takesOneDrain() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        List<QueueConsumer> consumers = List.of("default", "second", "third").stream()
                .map(this::tenant)
                .map(engine -> {
                    engine.createQueue("mail").send(BODY);
                    return engine.consume("mail", _ -> never.await());
                })
                .toList();
        until(() -> consumers.stream().allMatch(consumer -> consumer.figures().inHand() == 1));
        Thread closer = time.start(CLOSER, perdure::close);
        time.awaitIdle(CLOSER, 1);

        time.pass(Duration.ofSeconds(30));
        awaitEnd(closer);

        assertThat(consumers).allMatch(consumer -> consumer.figures().inHand() == 0);
    }

    @Test
    void close_withStepsOfSeveralTenantsThatIgnoreInterrupts_takesOneDrain() throws InterruptedException {
        Gate never = new Gate();
        Workflow<Json, String> stubborn = Workflow.named("stubborn").run(Json.class, String.class, (ctx, _) -> {
            ctx.step("stays", () -> {
                stubbornSteps.incrementAndGet();
                never.passUninterrupted("step");
            });
            return "done";
        });
        List<String> tenants = List.of("default", "second", "third", "fourth", "fifth");
        tenants.forEach(name -> tenant(name).register(stubborn).start().start(stubborn, Json.NULL));
        until(() -> stubbornSteps.get() == tenants.size());
        Thread closer = time.start(CLOSER, perdure::close);
        time.awaitIdle(CLOSER, 1);

        // What steps have after the drain, they have together.
        time.pass(Duration.ofSeconds(31));
        try {
            awaitEnd(closer);
        } finally {
            never.open();
            passUntilEnd(closer);
        }
    }

    /** As while steps compute on every carrier. */
    @Test
    void close_whileTheUpkeepOfATenantGetsNoCarrier_takesOneDrain() throws InterruptedException {
        perdure.serve();
        time.hold("perdure-sweeper");
        tenant("second");
        Thread closer = time.start(CLOSER, perdure::close);
        try {
            time.awaitIdle(CLOSER, 1);

            time.pass(Duration.ofSeconds(31));
            awaitEnd(closer);
        } finally {
            time.letGo();
            passUntilEnd(closer);
        }
    }

    @Test
    void close_afterWaitsWereEnded_hasWhatIsLeftOfTheDrain() throws InterruptedException {
        perdure.register(workflow).start();
        perdure.start(workflow, Json.NULL);
        step.awaitReached();
        perdure.endWaits();
        time.pass(Duration.ofSeconds(20));
        Thread closer = time.start(CLOSER, perdure::close);
        time.awaitIdle(CLOSER, 1);

        time.pass(Duration.ofSeconds(10));
        until(() -> perdure.working() == 0);

        assertThat(nextStep).isFalse();
        passUntilEnd(closer);
    }

    /** What a worker does last waits for a moment, of which there is none while time stands still. */
    private void passUntilEnd(Thread closer) throws InterruptedException {
        while (!closer.join(Duration.ofMillis(5))) {
            time.pass(SECOND);
        }
    }

    private Perdure tenant(String name) {
        return perdure.tenant(new TenantId(name));
    }
}
