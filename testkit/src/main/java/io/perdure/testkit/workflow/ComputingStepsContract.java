package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What an engine still does while steps that never wait hold every carrier of virtual threads. The engine, or its client and worker, is in this process, and
 * nothing else may run in it meanwhile: a server at the other end of HTTP needs a process of its own.
 */
public abstract class ComputingStepsContract extends WorkflowFixture {
    private static final int CARRIERS = Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());

    private final AtomicInteger holding = new AtomicInteger();
    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private volatile boolean released;

    private final Workflow<String, String> computing = Workflow.named("computing")
            .run(String.class, String.class, (ctx, input) -> {
                ctx.step("compute", this::holdCarrier);
                return input;
            });

    /** Runs every rule in this process on a store of its own, at the URL that this gives. */
    protected ComputingStepsContract(Supplier<String> freshUrl) {
        this(Opening.embedded(freshUrl));
    }

    /** Runs every rule on engines that this opens. */
    protected ComputingStepsContract(Opening opening) {
        super(opening);
    }

    @AfterEach
    final void release() {
        released = true;
        pool.shutdownNow();
    }

    /** Computes until it is released or interrupted. On a thread of the operating system it would hold no carrier, and returns. */
    private void holdCarrier() {
        if (Thread.currentThread().isVirtual()) {
            holding.incrementAndGet();
            while (!released && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }
    }

    /** Returns when a computing step holds each carrier. */
    private void holdCarriers() throws Exception {
        int starts = 0;
        long begun = System.nanoTime();
        while (holding.get() < CARRIERS) {
            assertThat(System.nanoTime() - begun)
                    .as("the time to hold all carriers")
                    .isLessThan(PATIENCE.toNanos());
            if (starts <= holding.get() || perdure.working() < starts) {
                called(() -> perdure.start(computing, ""));
                starts++;
            }
            Thread.onSpinWait();
        }
    }

    /** Makes a call from a thread of the operating system, and gives it up where it takes too long. */
    private static <T> T called(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofPlatform().daemon().start(task);
        return task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    final void start_whileComputingStepsHoldEveryCarrier_returnsAndTheRunCompletes() throws Exception {
        Workflow<String, String> quick = workflow(String.class, (ctx, input) -> {
            String doubled = ctx.step("double", String.class, () -> input + input);
            ctx.sleep("pause", Duration.ofMillis(400));
            return doubled + ctx.waitForEvent("more", String.class);
        });
        perdure.register(computing).register(quick).start();
        holdCarriers();

        Run<String> run = called(() -> perdure.start(quick, "a"));
        boolean signalled = called(() -> perdure.signal(run.id(), "more", "b"));

        assertThat(signalled).isTrue();
        assertThat(called(() -> run.result(PATIENCE))).isEqualTo("aab");
    }

    @Test
    final void stepOnAnExecutor_whileComputingStepsHoldEveryCarrier_completesAndItsTimeoutInterruptsIt()
            throws Exception {
        Workflow<String, Boolean> heavy = workflow(Boolean.class, (ctx, _) -> {
            boolean interrupted = ctx.step(
                    "slow",
                    Boolean.class,
                    ComputingStepsContract::computeUntilInterrupted,
                    Retry.never().timeout(Duration.ofMillis(20)).executor(pool));
            ctx.sleep("pause", Duration.ofMillis(400));
            return interrupted;
        });
        perdure.register(computing).register(heavy).start();
        holdCarriers();

        assertThat(called(() -> perdure.start(heavy, "a").result(PATIENCE))).isTrue();
    }

    @Test
    final void cancel_whileComputingStepsHoldEveryCarrier_interruptsTheStepOnAnExecutor() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Workflow<String, String> heavy = workflow(String.class, (ctx, input) -> {
            ctx.step(
                    "slow",
                    () -> {
                        begun.countDown();
                        computeUntilInterrupted();
                        interrupted.countDown();
                    },
                    Retry.never().executor(pool));
            return input;
        });
        perdure.register(computing).register(heavy).start();
        holdCarriers();
        Run<String> run = called(() -> perdure.start(heavy, "a"));
        await(begun);

        assertThat(called(() -> perdure.cancel(run.id(), "not needed any more")))
                .isTrue();
        await(interrupted);
        assertThat(run.status()).isEqualTo(RunStatus.CANCELLED);
    }

    /** The consumer has messages to give back, and a handler to end, and gets no carrier for that before the steps are interrupted. */
    @Test
    final void close_whileComputingStepsHoldEveryCarrier_interruptsThemWhenTheDrainIsOver() throws Exception {
        Duration drain = Duration.ofMillis(200);
        reopen(OpenOptions.defaults().drain(drain));
        CountDownLatch handling = new CountDownLatch(1);
        MessageQueue mail = perdure.createQueue("mail");
        QueueConsumer consumer = perdure.consume(
                "mail", ConsumeOptions.defaults().concurrency(1).prefetch(2).drain(drain), _ -> {
                    handling.countDown();
                    new CountDownLatch(1).await();
                });
        for (int number = 0; number < 3; number++) {
            mail.send(Json.number(number));
        }
        await(handling);
        until(() -> consumer.figures().inHand() == 3);
        perdure.register(computing).start();
        holdCarriers();

        boolean closed = called(() -> {
            perdure.close();
            return true;
        });

        assertThat(closed).isTrue();
    }

    private static boolean computeUntilInterrupted() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        return true;
    }
}
