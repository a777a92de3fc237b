package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Time stands still, so that a worker hears of a cancel elsewhere by the store's hint, or not at all. */
class EndedHintTest extends PerdureFixture {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    private void block() throws InterruptedException {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } finally {
            interrupted.countDown();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private void assertInterrupted(Workflow<Json, String> workflow) throws InterruptedException {
        Run<String> run = perdure.register(workflow).start().start(workflow, Json.NULL);
        await(begun);
        Perdure elsewhere = Perdure.over(bent.real(), time, OpenOptions.defaults());
        elsewhere.cancel(run.id(), "not wanted");

        await(interrupted);
    }

    @AfterEach
    void close() throws InterruptedException {
        Thread closing = time.start("closing", perdure::close);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(SECOND);
        }
    }

    @Test
    void cancel_elsewhereWhileAStepRuns_interruptsItByTheHint() throws InterruptedException {
        assertInterrupted(Workflow.named("in_step").run(Json.class, String.class, (ctx, _) -> {
            ctx.step("long", this::block);
            return "never";
        }));
    }

    @Test
    void cancel_elsewhereWhileCodeBlocksBetweenSteps_interruptsItByTheHint() throws InterruptedException {
        assertInterrupted(Workflow.named("between").run(Json.class, String.class, (_, _) -> {
            block();
            return "never";
        }));
    }
}
