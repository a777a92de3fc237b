package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One run in one worker, from the claim to letting go, in virtual time. */
class TurnTest {
    private static final Duration TICK = Duration.ofMillis(250);

    private final VirtualTime time = new VirtualTime();
    private final Store store = new MemoryStore(time.clock(), Limits.defaults());
    private final BentStore bent = new BentStore(store);
    private final Perdure perdure = Perdure.over(bent.store(), time, OpenOptions.defaults());
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger elsewhere = new AtomicInteger();
    private int workers = 1;

    private static void until(BooleanSupplier holds) {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    /** Lets time pass until it holds, no faster than this worker's threads do what they do. */
    private void pass(BooleanSupplier until) throws InterruptedException {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (!until.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            time.awaitIdle("perdure-leases", workers);
            time.awaitIdle("perdure-claims", workers);
            time.pass(TICK);
            Thread.onSpinWait();
        }
    }

    private void awaitHeedlessly() {
        boolean ended = false;
        while (!ended) {
            try {
                goOn.await();
                ended = true;
            } catch (InterruptedException e) {
                // The next look finds the same.
                ended = goOn.getCount() == 0;
            }
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        goOn.countDown();
        close(perdure::close);
    }

    /** What a worker does last waits for a moment, of which there is none while time stands still. */
    private void close(Runnable engine) throws InterruptedException {
        Thread closing = time.start("closing", engine);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void completion_whileTheCodeTakesItsTimeAfterwards_isRecordedByItself() throws InterruptedException {
        Workflow<Json, String> slow = Workflow.named("slow").run(Json.class, String.class, (ctx, _) -> {
            ctx.step("first", () -> {
                attempts.incrementAndGet();
            });
            awaitHeedlessly();
            return "done";
        });
        Run<String> run = perdure.register(slow).start().start(slow, Json.NULL);
        until(() -> attempts.get() == 1);

        pass(() -> run.history().size() == 2);
        assertThat(run.history().getLast().event()).isInstanceOf(Event.StepCompleted.class);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    }

    /** A run that another worker had meanwhile comes back to a process in which its first attempt has not ended. */
    @Test
    void attempt_whileAnEarlierOneHeedsNoInterruptInTheSameProcess_waitsForItsEnd() throws InterruptedException {
        Workflow<Json, String> here = Workflow.named("long").run(Json.class, String.class, (ctx, _) -> {
            ctx.step("long", () -> {
                attempts.incrementAndGet();
                awaitHeedlessly();
            });
            return "done";
        });
        Workflow<Json, String> there = Workflow.named("long").run(Json.class, String.class, (ctx, _) -> {
            ctx.step("long", () -> {
                elsewhere.incrementAndGet();
                new CountDownLatch(1).await();
            });
            return "never";
        });
        Run<String> run = perdure.register(here).start().start(here, Json.NULL);
        until(() -> attempts.get() == 1);
        StoreException away = new StoreException(ErrorCode.STORE_FAILED, "It is away.");
        bent.fail("extend", away);
        bent.fail("claim", away);
        BentStore way = new BentStore(store);
        // The store outlives the engine that had it for a while.
        way.fail("close", away);
        Perdure other = Perdure.over(way.store(), time, OpenOptions.defaults())
                .register(there)
                .start();
        workers = 2;
        pass(() -> elsewhere.get() == 1);
        bent.heal("extend");
        close(() -> assertThatExceptionOfType(StoreException.class).isThrownBy(other::close));
        workers = 1;
        bent.heal("claim");
        int claims = bent.count("claim");
        pass(() -> bent.count("claim") > claims + 10);

        assertThat(attempts).hasValue(1);
        goOn.countDown();
        pass(() -> run.status() == RunStatus.COMPLETED);
        assertThat(attempts).hasValue(2);
    }
}
