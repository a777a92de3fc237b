package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker that cannot reach its store: what becomes of the steps that are under way. */
class CutOffTest extends PerdureFixture {
    private static final String EXTENDER = "perdure-leases";
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger attempts = new AtomicInteger();

    private final Workflow<Json, String> workflow = Workflow.named("long").run(Json.class, String.class, (ctx, _) -> {
        ctx.step("long", () -> {
            attempts.incrementAndGet();
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        return "done";
    });

    /** What the worker does last waits for a moment, of which there is none while time stands still. */
    @AfterEach
    void close() throws InterruptedException {
        Thread closing = time.start("closing", perdure::close);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(SECOND);
        }
    }

    private Run<String> begun() throws InterruptedException {
        Run<String> run = perdure.register(workflow).start().start(workflow, Json.NULL);
        await(begun);
        return run;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private void cutOff() {
        bent.fail("extend", new StoreException(ErrorCode.STORE_FAILED, "It is away."));
    }

    /** Lets this time pass, a second at a time, in which the worker tries to keep its leases as often as it does. */
    private void pass(Duration by) throws InterruptedException {
        for (long second = 0; second < by.toSeconds(); second++) {
            time.awaitIdle(EXTENDER, 1);
            time.pass(SECOND);
        }
        time.awaitIdle(EXTENDER, 1);
    }

    @Test
    void aStepGoesOnWhileTheStoreMayComeBackInTime() throws InterruptedException {
        Run<String> run = begun();
        cutOff();
        pass(LEASE.multipliedBy(2));
        bent.heal("extend");
        pass(SECOND);
        goOn.countDown();

        assertThat(run.result(VirtualTime.PATIENCE)).isEqualTo("done");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void aStepIsInterruptedOnceOthersHaveHadTimeToTakeItsRun() throws InterruptedException {
        begun();
        cutOff();
        pass(LEASE.multipliedBy(2));
        assertThat(interrupted.getCount()).isEqualTo(1);

        pass(LEASE.plus(SECOND.multipliedBy(4)));
        await(interrupted);
    }
}
