package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.testkit.crash.MortalStore.Death;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What can go wrong with a run, and what becomes of it then. Each test has the name of the failure. */
@Timeout(120)
public abstract class FailureTableContract extends WaitAndDatabaseFailures {
    private static final int RUNS = 200;
    private static final int CALLERS = 64;

    @Test
    void workerCrashesMidStep() throws InterruptedException {
        AtomicBoolean first = new AtomicBoolean(true);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        Workflow<String, String> workflow = Workflow.named("mid_step").run(String.class, String.class, (ctx, _) -> {
            ctx.step("before", () -> seen.see(ctx));
            return ctx.step("under_way", String.class, () -> {
                seen.see(ctx);
                if (first.getAndSet(false)) {
                    inside.countDown();
                    letGo.await();
                    return "done by the dead";
                }
                return "done";
            });
        });
        try (MortalStore mortal = open(Death.never(), () -> {});
                Engine doomed = Engine.over(mortal, workflow)) {
            RunId id = doomed.start(workflow, "", StartOptions.defaults()).id();
            inside.await();
            mortal.die();
            mortal.release();
            endLeases();
            try (Store store = open();
                    Engine next = Engine.over(store, workflow)) {
                Run<String> run = next.run(workflow, id);
                assertThat(run.result(LONG)).isEqualTo("done");
                letGo.countDown();
                assertThat(seen.of(id)).containsExactly("before", "under_way", "under_way");
                assertThat(completions(run)).containsExactly("before", "under_way");
            }
        }
    }

    @Test
    void workerCrashesAfterJournalCommit() {
        Workflow<String, String> workflow = Workflow.named("after_commit").run(String.class, String.class, (ctx, _) -> {
            String one = ctx.step("one", String.class, () -> {
                seen.see(ctx);
                return "one";
            });
            return one
                    + ctx.step("two", String.class, () -> {
                        seen.see(ctx);
                        return " and two";
                    });
        });
        // The first commit starts the run, the second has the completion of its first step.
        try (MortalStore mortal = open(new Death(Moment.AFTER_COMMIT, 2), () -> {});
                Engine doomed = Engine.over(mortal, workflow)) {
            RunId id = doomed.start(workflow, "", StartOptions.defaults()).id();
            mortal.death().join();
            mortal.release();
            endLeases();
            try (Store store = open();
                    Engine next = Engine.over(store, workflow)) {
                Run<String> run = next.run(workflow, id);
                assertThat(run.result(LONG)).isEqualTo("one and two");
                assertThat(seen.of(id)).containsExactly("one", "two");
                assertThat(completions(run)).containsExactly("one", "two");
            }
        }
    }

    @Test
    void stepExhaustsRetries() {
        Workflow<String, String> workflow = Workflow.named("exhausted").run(String.class, String.class, (ctx, _) -> {
            ctx.step(
                    "hopeless",
                    () -> {
                        seen.see(ctx);
                        throw new IOException("attempt " + ctx.attempt().number());
                    },
                    Retry.fixed(3, Duration.ofMillis(10)));
            return "never";
        });
        try (Store store = open();
                Engine engine = Engine.over(store, workflow)) {
            Run<String> run = engine.start(workflow, "", StartOptions.defaults());
            assertFailed(store, run, "attempt 3");
            assertThat(seen.of(run.id())).hasSize(3);
            assertThat(run.history())
                    .extracting(Recorded::event)
                    .filteredOn(Event.StepFailed.class::isInstance)
                    .extracting(event -> ((Event.StepFailed) event).retryable())
                    .containsExactly(true, true, false);
        }
    }

    @Test
    void workflowThrowsAnUnhandledErrorOutsideAStep() {
        Workflow<String, String> workflow = Workflow.named("unhandled").run(String.class, String.class, (ctx, _) -> {
            ctx.step("fine", () -> seen.see(ctx));
            throw new IllegalStateException("between steps");
        });
        try (Store store = open();
                Engine engine = Engine.over(store, workflow)) {
            Run<String> run = engine.start(workflow, "", StartOptions.defaults());
            assertFailed(store, run, "between steps");
            assertThat(seen.of(run.id())).containsExactly("fine");
            assertThat(completions(run)).containsExactly("fine");
        }
    }

    private static void assertFailed(Store store, Run<String> run, String why) {
        PerdureException failed = catchThrowableOfType(PerdureException.class, () -> run.result(LONG));
        assertThat(failed.code()).isEqualTo(ErrorCode.RUN_FAILED);
        assertThat(failed).hasMessageContaining(why);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.history().getLast().event()).isInstanceOf(Event.RunFailed.class);
        assertThat(store.snapshots(TenantId.DEFAULT, List.of(run.id())))
                .singleElement()
                .extracting(RunSnapshot::message)
                .as("nothing is left to wake it")
                .isNull();
    }

    /** The runs become due together, so that both ask for all of them at the same time. */
    @Test
    void twoWorkersGrabTheSameContinuation() {
        List<String> steps = List.of("one", "two", "three");
        Workflow<String, String> workflow = Workflow.named("grabbed").run(String.class, String.class, (ctx, _) -> {
            ctx.step("one", () -> seen.see(ctx));
            ctx.sleep("nap", LONG_ENOUGH_TO_LET_GO);
            ctx.step("two", () -> seen.see(ctx));
            ctx.step("three", () -> seen.see(ctx));
            return "done";
        });
        try (Store store = open();
                Store other = beside(store);
                Engine left = Engine.over(store, workflow);
                Engine right = Engine.over(other, workflow)) {
            StartOptions later = StartOptions.defaults().delay(LONG_ENOUGH_TO_LET_GO);
            List<Run<String>> runs = IntStream.range(0, RUNS)
                    .parallel()
                    .mapToObj(number -> (number % 2 == 0 ? left : right).start(workflow, "", later))
                    .toList();
            runs.forEach(run -> assertThat(run.result(LONG)).isEqualTo("done"));
            assertThat(seen.repeated()).isEmpty();
            assertThat(seen.count()).isEqualTo(RUNS * steps.size());
            seen.comeInOrder(steps);
        }
    }

    @Test
    void idempotentStartCollision() {
        Workflow<String, String> workflow = Workflow.named("collision").run(String.class, String.class, (ctx, _) -> {
            ctx.step("once", () -> seen.see(ctx));
            return "done";
        });
        try (Store store = open();
                Store other = beside(store);
                Engine left = Engine.over(store, workflow);
                Engine right = Engine.over(other, workflow)) {
            StartOptions keyed = StartOptions.defaults().idempotencyKey("order-7");
            List<CompletableFuture<Run<String>>> started = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                Engine engine = caller % 2 == 0 ? left : right;
                started.add(CompletableFuture.supplyAsync(
                        () -> engine.start(workflow, "", keyed), Thread::startVirtualThread));
            }
            List<Run<String>> runs =
                    started.stream().map(CompletableFuture::join).toList();
            assertThat(runs).extracting(Run::id).containsOnly(runs.getFirst().id());
            assertThat(runs).extracting(Run::created).containsOnlyOnce(true);
            runs.forEach(run -> assertThat(run.result(LONG)).isEqualTo("done"));
            assertThat(seen.count()).isEqualTo(1);
            Run<String> late = right.start(workflow, "", keyed);
            assertThat(late.created()).isFalse();
            assertThat(late.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(store.runCounts(TenantId.DEFAULT))
                    .singleElement()
                    .extracting(RunCount::count)
                    .isEqualTo(1L);
        }
    }

    /** Nobody has its code, so nobody takes it: it waits, and goes on once somebody has. */
    @Test
    void workflowDefinitionRemovedButRunsInFlight() {
        Duration nap = LONG_ENOUGH_TO_LET_GO;
        // On a machine that stands still for a moment the nap may be over before the engine is closed.
        while (!waitsForItsDefinition(nap)) {
            nap = nap.multipliedBy(2);
        }
    }

    private boolean waitsForItsDefinition(Duration nap) {
        Workflow<String, String> removed = Workflow.named("removed").run(String.class, String.class, (ctx, _) -> {
            ctx.step("before", () -> seen.see(ctx));
            ctx.sleep("nap", nap);
            ctx.step("after", () -> seen.see(ctx));
            return "done";
        });
        Workflow<String, String> kept = Workflow.named("kept").run(String.class, String.class, (ctx, _) -> {
            ctx.sleep("longer_nap", nap.multipliedBy(2));
            return "done";
        });
        RunId id;
        List<Recorded> then;
        try (Store store = open()) {
            try (Engine engine = Engine.over(store, removed)) {
                id = engine.start(removed, "", StartOptions.defaults()).id();
            }
            if (store.run(TenantId.DEFAULT, id).orElseThrow().status() != RunStatus.RUNNING) {
                return false;
            }
        }
        try (Store store = open();
                Engine engine = Engine.over(store, kept)) {
            then = engine.run(removed, id).history();
            assertThat(engine.start(kept, "", StartOptions.defaults()).result(LONG))
                    .isEqualTo("done");
            assertThat(engine.run(removed, id).status()).isEqualTo(RunStatus.RUNNING);
            assertThat(engine.run(removed, id).history()).isEqualTo(then);
        }
        try (Store store = open();
                Engine engine = Engine.over(store, removed)) {
            Run<String> run = engine.run(removed, id);
            assertThat(run.result(LONG)).isEqualTo("done");
            assertThat(run.history()).startsWith(then.toArray(Recorded[]::new));
            assertThat(seen.of(id)).containsExactly("before", "after");
            return true;
        }
    }
}
