package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Code that does not end when its run is cancelled or lost, and the slots that it had, in virtual time. */
class AbandonedThreadTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final Store store = new MemoryStore(time.clock(), Limits.defaults());
    private final BentStore bent = new BentStore(store);
    private final Semaphore begun = new Semaphore(0);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger interrupts = new AtomicInteger();
    private final Set<Thread> heedless = ConcurrentHashMap.newKeySet();
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger steps = new AtomicInteger();
    private final CompletableFuture<Throwable> thrown = new CompletableFuture<>();

    /** Heeds no interrupt between its calls. */
    private final Workflow<Json, String> stuck = Workflow.named("stuck").run(Json.class, String.class, (ctx, _) -> {
        ctx.random();
        begun.release();
        awaitHeedlessly();
        try {
            // Costs nothing and asks the store for nothing, and is refused all the same.
            ctx.random();
        } catch (Throwable e) {
            thrown.complete(e);
        }
        ctx.step("later", () -> {
            steps.incrementAndGet();
        });
        return "never";
    });

    /** Blocks between its calls the first time, until it is interrupted. */
    private final Workflow<Json, String> heedful = Workflow.named("heedful").run(Json.class, String.class, (_, _) -> {
        if (turns.incrementAndGet() == 1) {
            begun.release();
            new CountDownLatch(1).await();
        }
        return "done";
    });

    /** Heeds no interrupt the first time. */
    private final Workflow<Json, String> stuckOnce = Workflow.named("stuck_once")
            .run(Json.class, String.class, (_, _) -> {
                if (turns.incrementAndGet() == 1) {
                    begun.release();
                    awaitHeedlessly();
                }
                return "done";
            });

    private final Workflow<Json, String> quick =
            Workflow.named("quick").run(Json.class, String.class, (_, _) -> "done");
    private final Perdure perdure = Perdure.over(
                    bent.store(), time, OpenOptions.defaults().concurrency(1))
            .register(stuck)
            .register(heedful)
            .register(stuckOnce)
            .register(quick)
            .start();

    private void awaitHeedlessly() {
        heedless.add(Thread.currentThread());
        while (true) {
            try {
                goOn.await();
                heedless.remove(Thread.currentThread());
                return;
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
            }
        }
    }

    private Run<String> begun() {
        Run<String> run = perdure.start(stuck, Json.NULL);
        until(begun::tryAcquire);
        return run;
    }

    private static void until(BooleanSupplier holds) {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    /** Lets time pass until it holds, and waits for each interrupt to be noticed: a thread notices several at once as one. */
    private void pass(BooleanSupplier until) throws InterruptedException {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (!until.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            for (String thread : List.of("perdure-timeouts", "perdure-leases", "perdure-claims")) {
                time.awaitIdle(thread, 1);
            }
            until(() -> heedless.stream().noneMatch(Thread::isInterrupted));
            time.pass(SECOND);
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
    void cancel_ofCodeThatHeedsNoInterruptBetweenSteps_givesItsSlotToTheNextRun() throws InterruptedException {
        Run<String> run = begun();
        perdure.cancel(run.id(), "stuck");
        Run<String> next = perdure.start(quick, Json.NULL);
        pass(() -> next.status().isTerminal());

        assertThat(next.status()).isEqualTo(RunStatus.COMPLETED);
        until(() -> interrupts.get() >= 2);
        pass(() -> perdure.working() == 0);
    }

    @Test
    void call_ofTheContextByAnAbandonedThread_suspends() throws Exception {
        Run<String> run = begun();
        perdure.cancel(run.id(), "stuck");
        pass(() -> perdure.working() == 0);
        goOn.countDown();

        assertThat(thrown.get(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .getClass()
                        .getSimpleName())
                .isEqualTo("Suspension");
        assertThat(steps).hasValue(0);
        assertThat(run.history()).hasSize(2);
    }

    /** It has the only slot, and its run goes on in it while the first thread is stuck. */
    @Test
    void loss_ofALeaseWhileCodeHeedsNoInterrupt_givesItsSlotBack() throws InterruptedException {
        Run<String> run = perdure.start(stuckOnce, Json.NULL);
        until(begun::tryAcquire);
        bent.fail("extend", new StoreException(ErrorCode.STORE_FAILED, "It is away."));
        pass(() -> interrupts.get() > 0);
        bent.heal("extend");
        pass(() -> run.status() == RunStatus.COMPLETED);

        assertThat(turns).hasValue(2);
        assertThat(goOn.getCount()).isEqualTo(1);
    }

    /** The store was away, and nobody took the run meanwhile: whatever is written of it is accepted. */
    @Test
    void loss_ofALeaseWhileCodeBlocksBetweenSteps_isNotRecordedAsAFailureOfTheRun() throws InterruptedException {
        Run<String> run = perdure.start(heedful, Json.NULL);
        until(begun::tryAcquire);
        bent.fail("extend", new StoreException(ErrorCode.STORE_FAILED, "It is away."));
        pass(() -> perdure.working() == 0);
        bent.heal("extend");
        pass(() -> run.status() != RunStatus.RUNNING);

        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
    }

    /** Otherwise a workflow that is cancelled again and again would start threads without end. */
    @Test
    void abandonedThreads_asManyAsSlots_keepFurtherRunsInTheirs() throws InterruptedException {
        perdure.cancel(begun().id(), "stuck");
        pass(() -> perdure.working() == 0);
        perdure.cancel(begun().id(), "stuck");
        interrupts.set(0);
        pass(() -> interrupts.get() >= 10);
        Run<String> next = perdure.start(quick, Json.NULL);
        assertThat(perdure.working()).isEqualTo(1);
        assertThat(next.status()).isEqualTo(RunStatus.RUNNING);

        goOn.countDown();
        pass(() -> next.status().isTerminal());
        assertThat(next.status()).isEqualTo(RunStatus.COMPLETED);
    }
}
