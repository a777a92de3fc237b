package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps that run on an executor of the user. */
abstract class StepExecutorContract extends WorkflowFixture {
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("heavy").factory());
    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch idle = new CountDownLatch(1);
    private final CountDownLatch waiting = new CountDownLatch(1);

    /** The pool, for steps that the test waits for until they are in its queue. */
    private final Executor watched = task -> {
        pool.execute(task);
        waiting.countDown();
    };

    StepExecutorContract(Opening opening) {
        super(opening);
    }

    @AfterEach
    final void shutDown() {
        pool.shutdownNow();
    }

    /** Keeps the only thread of the pool busy until {@code idle} is counted down. */
    private void keepBusy() throws InterruptedException {
        pool.execute(() -> {
            busy.countDown();
            try {
                idle.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await(busy);
    }

    private static String threadName() {
        return Thread.currentThread().getName();
    }

    private Workflow<String, String> heavy(AtomicInteger begun) {
        return workflow(
                String.class,
                (ctx, input) -> ctx.step(
                        "heavy",
                        String.class,
                        () -> {
                            begun.incrementAndGet();
                            return input;
                        },
                        Retry.never().executor(watched)));
    }

    private static Workflow<String, String> light() {
        return Workflow.named("light").run(String.class, String.class, (_, input) -> input);
    }

    @Test
    final void step_withAnExecutor_runsOnItsThreadAndOthersDoNot() {
        String names = resultOf(String.class, (ctx, _) -> {
            String first = ctx.step("first", String.class, StepExecutorContract::threadName);
            String heavy = ctx.step(
                    "heavy",
                    String.class,
                    () -> threadName() + ctx.attempt().number(),
                    Retry.defaults().executor(pool));
            String last = ctx.step("last", String.class, StepExecutorContract::threadName);
            return heavy + " " + first.equals(last);
        });

        assertThat(names).isEqualTo("heavy1 true");
    }

    @Test
    final void stepOfAStepFlow_withAnExecutor_runsOnItsThreadAndOthersDoNot() {
        StepFlow flow = StepFlow.named("flow")
                .step("start", pool, ctx -> {
                    ctx.put("thread", threadName());
                    return Next.step("end");
                })
                .step(
                        "end",
                        ctx -> Next.done(ctx.get("thread", String.class) + " "
                                + threadName().equals("heavy")));
        perdure.register(flow).start();

        Json names = perdure.start(flow, null, StartOptions.defaults()).result(PATIENCE);

        assertThat(names).isEqualTo(Json.string("heavy false"));
    }

    @Test
    final void context_usedInsideAStepOnAnExecutor_parksTheRun() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, input) -> {
            ctx.step(
                    "heavy",
                    () -> ctx.sleep("inside", Duration.ofMillis(1)),
                    Retry.defaults().executor(pool));
            return input;
        });

        untilItIsParked(run, ErrorCode.INSIDE_STEP);
    }

    @Test
    final void attemptOnAnExecutor_thatFails_isTriedAgainThere() {
        AtomicInteger attempts = new AtomicInteger();
        String thread = resultOf(
                String.class,
                (ctx, _) -> ctx.step(
                        "heavy",
                        String.class,
                        () -> {
                            if (attempts.incrementAndGet() < 3) {
                                throw new IllegalStateException("not yet");
                            }
                            return threadName();
                        },
                        Retry.fixed(3, Duration.ofMillis(1)).executor(pool)));

        assertThat(thread).isEqualTo("heavy");
        assertThat(attempts).hasValue(3);
    }

    @Test
    final void step_whoseExecutorIsBusy_waitsWhileOtherRunsGoOn() throws InterruptedException {
        keepBusy();
        Workflow<String, String> heavy = heavy(new AtomicInteger());
        Workflow<String, String> light = light();
        perdure.register(heavy).register(light).start();
        Run<String> waits = perdure.start(heavy, "a");
        await(waiting);

        assertThat(perdure.start(light, "b").result(PATIENCE)).isEqualTo("b");
        assertThat(waits.status()).isEqualTo(RunStatus.RUNNING);
        idle.countDown();
        assertThat(waits.result(PATIENCE)).isEqualTo("a");
    }

    @Test
    final void stepOfAStepFlow_whoseExecutorIsBusy_isNotRecordedAsStarted() throws InterruptedException {
        keepBusy();
        StepFlow flow = StepFlow.named("flow").step("start", watched, _ -> Next.done("done"));
        Workflow<String, String> light = light();
        perdure.register(flow).register(light).start();
        Run<Json> run = perdure.start(flow, null, StartOptions.defaults());
        await(waiting);
        // Anything that was written before the step came into the queue is in the history once later runs have ended.
        for (int i = 0; i < 20; i++) {
            assertThat(perdure.start(light, "b").result(PATIENCE)).isEqualTo("b");
        }

        assertThat(events(run, Event.StepStarted.class)).isEmpty();
        idle.countDown();
        assertThat(run.result(PATIENCE)).isEqualTo(Json.string("done"));
        assertThat(events(run, Event.StepStarted.class)).hasSize(1);
    }

    @Test
    final void cancel_whileTheStepWaitsForItsExecutor_keepsItFromBeginning() throws InterruptedException {
        keepBusy();
        AtomicInteger begun = new AtomicInteger();
        Workflow<String, String> heavy = heavy(begun);
        perdure.register(heavy).start();
        Run<String> run = perdure.start(heavy, "a");
        await(waiting);

        perdure.cancel(run.id(), "not needed any more");

        until(() -> perdure.working() == 0);
        idle.countDown();
        pool.close();
        assertThat(begun).hasValue(0);
    }

    @Test
    final void close_whileTheStepWaitsForItsExecutor_letsGoOfTheRunAtOnce() throws InterruptedException {
        keepBusy();
        AtomicInteger begun = new AtomicInteger();
        Workflow<String, String> heavy = heavy(begun);
        reopen(OpenOptions.defaults().drain(PATIENCE));
        perdure.register(heavy).start();
        Run<String> run = perdure.start(heavy, "a");
        await(waiting);
        reopen(OpenOptions.defaults());
        idle.countDown();
        perdure.register(heavy).start();

        assertThat(perdure.run(heavy, run.id()).result(PATIENCE)).isEqualTo("a");
        assertThat(begun).hasValue(1);
    }

    @Test
    final void step_thatItsExecutorRejects_doesNotFailAndGoesOnLater() {
        AtomicInteger rejected = new AtomicInteger();
        Run<String> run = started(
                String.class,
                (ctx, input) -> ctx.step(
                        "heavy", String.class, () -> input, Retry.never().executor(task -> {
                            if (rejected.getAndIncrement() == 0) {
                                throw new RejectedExecutionException("full");
                            }
                            pool.execute(task);
                        })));

        assertThat(run.result(PATIENCE)).isEqualTo("input");
        assertThat(rejected).hasValue(2);
        assertThat(events(run, Event.StepFailed.class)).isEmpty();
    }

    @Test
    final void step_whoseExecutorIsShutDownBeforeItBegins_goesOnLater() throws InterruptedException {
        keepBusy();
        try (ExecutorService next = Executors.newFixedThreadPool(1)) {
            AtomicReference<ExecutorService> current = new AtomicReference<>(pool);
            Run<String> run = started(
                    String.class,
                    (ctx, input) -> ctx.step(
                            "heavy",
                            String.class,
                            () -> input,
                            Retry.never().executor(Objects.requireNonNull(current.get()))));
            until(() -> pool.getQueue().size() == 1);
            current.set(next);

            pool.shutdownNow();

            assertThat(run.result(PATIENCE)).isEqualTo("input");
            assertThat(events(run, Event.StepFailed.class)).isEmpty();
        }
    }
}
