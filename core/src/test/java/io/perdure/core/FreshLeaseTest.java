package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No step starts unless the store confirmed the lease shortly before, in virtual time. */
class FreshLeaseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final Store store = new MemoryStore(time.clock(), Limits.defaults());
    private final BentStore bent = new BentStore(store);
    private final Perdure perdure = Perdure.over(bent.store(), time, OpenOptions.defaults());
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger second = new AtomicInteger();

    private void first() {
        begun.countDown();
        while (true) {
            try {
                goOn.await();
                return;
            } catch (InterruptedException e) {
                // A run that was taken away interrupts its step; this one does not heed it.
                assertThat(goOn.getCount()).isLessThanOrEqualTo(1);
            }
        }
    }

    private void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    /** Has the first step end at a time at which the lease was not confirmed for longer than a step may start. */
    private Run<?> endsUnconfirmed(WorkflowDefinition definition) throws InterruptedException {
        perdure.register(definition).start();
        Run<?> run = switch (definition) {
            case Workflow<?, ?> workflow -> perdure.start(workflow, null);
            case StepFlow flow -> perdure.start(flow, null);
        };
        await(begun);
        bent.fail("extend", new StoreException(ErrorCode.STORE_FAILED, "It is away."));
        pass(Limits.defaults().workers().stepStartsWithin());
        goOn.countDown();
        return run;
    }

    private void pass(Duration by) throws InterruptedException {
        for (long passed = 0; passed < by.toSeconds(); passed++) {
            time.awaitIdle("perdure-leases", 1);
            time.pass(SECOND);
        }
        time.awaitIdle("perdure-leases", 1);
    }

    private void assertSecondWaitsForConfirmation(WorkflowDefinition definition) throws InterruptedException {
        Run<?> run = endsUnconfirmed(definition);
        // The run has come to where its next attempt would start, and waits there.
        time.awaitIdle("perdure-run-" + run.id(), 1);
        assertThat(second).hasValue(0);

        bent.heal("extend");
        pass(SECOND);
        until(() -> second.get() == 1);
    }

    private static void until(BooleanSupplier holds) {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    /** What a worker does last waits for a moment, of which there is none while time stands still. */
    @AfterEach
    void close() throws InterruptedException {
        goOn.countDown();
        Thread closing = time.start("closing", perdure::close);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(SECOND);
        }
    }

    @Test
    void step_withoutAFreshConfirmationOfTheLease_waitsForOne() throws InterruptedException {
        assertSecondWaitsForConfirmation(twoSteps("two"));
    }

    @Test
    void nextAttempt_withoutAFreshConfirmationOfTheLease_waitsForOne() throws InterruptedException {
        assertSecondWaitsForConfirmation(Workflow.named("again").run(Json.class, String.class, (ctx, _) -> {
            ctx.step(
                    "first",
                    () -> {
                        if (ctx.attempt().number() == 1) {
                            first();
                            throw new IllegalStateException("the first attempt fails");
                        }
                        second.incrementAndGet();
                    },
                    Retry.fixed(2, Duration.ZERO));
            return "done";
        }));
    }

    @Test
    void stepOfAStepFlow_withoutAFreshConfirmationOfTheLease_waitsForOne() throws InterruptedException {
        assertSecondWaitsForConfirmation(StepFlow.named("flow")
                .step("start", _ -> {
                    first();
                    return Next.step("second");
                })
                .step("second", _ -> {
                    second.incrementAndGet();
                    return Next.done("done");
                }));
    }

    /** A confirmation counts from when its extension was sent: how long the answer was on its way is not known. */
    @Test
    void step_afterAnExtensionThatWasAnsweredLate_waitsForAnother() throws InterruptedException {
        Limits.Workers limits = Limits.defaults().workers();
        CountDownLatch extended = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        perdure.register(twoSteps("late")).start();
        Run<?> run = perdure.start("late", Json.NULL, StartOptions.defaults());
        await(begun);
        bent.after("extend", () -> {
            extended.countDown();
            held(answer);
        });
        time.awaitIdle("perdure-leases", 1);
        time.pass(limits.extendEvery());
        await(extended);
        time.pass(limits.stepStartsWithin());
        answer.countDown();
        time.awaitIdle("perdure-leases", 1);

        goOn.countDown();
        time.awaitIdle("perdure-run-" + run.id(), 1);
        assertThat(second).hasValue(0);

        pass(limits.extendEvery());
        until(() -> second.get() == 1);
    }

    private Workflow<Json, String> twoSteps(String name) {
        return Workflow.named(name).run(Json.class, String.class, (ctx, _) -> {
            ctx.step("first", this::first);
            ctx.step("second", () -> {
                second.incrementAndGet();
            });
            return "done";
        });
    }

    private void held(CountDownLatch until) {
        try {
            await(until);
        } catch (InterruptedException e) {
            throw new StoreException(ErrorCode.STORE_FAILED, "Interrupted.", e);
        }
    }

    /** Time stands still, so that nothing but the second step asks for the first one to be recorded. */
    @Test
    void step_whileTheOneBeforeIsNotDurable_doesNotStart() throws InterruptedException {
        Workflow<Json, String> workflow = twoSteps("durable");
        perdure.register(workflow).start().start(workflow, Json.NULL);
        await(begun);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        bent.before("commit", () -> {
            asked.countDown();
            held(answer);
        });
        goOn.countDown();
        await(asked);
        assertThat(second).hasValue(0);

        answer.countDown();
        until(() -> second.get() == 1);
    }

    @Test
    void step_ofARunThatWasTakenAwayMeanwhile_doesNotStart() throws InterruptedException {
        Run<?> run = endsUnconfirmed(twoSteps("taken"));
        time.awaitIdle("perdure-run-" + run.id(), 1);
        Perdure elsewhere = Perdure.over(store, time, OpenOptions.defaults());
        elsewhere.cancel(run.id(), "taken away");
        bent.heal("extend");
        pass(SECOND);
        until(() -> perdure.working() == 0);

        assertThat(second).hasValue(0);
    }
}
