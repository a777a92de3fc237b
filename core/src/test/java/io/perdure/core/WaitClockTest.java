package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A wait ends by the store's clock, and only once the mailbox was read after its end. */
class WaitClockTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Json OTHER = Json.of("{\"number\":2}");
    private static final Json WANTED = Json.of("{\"number\":1}");

    private final VirtualTime time = new VirtualTime();
    private final Store store = new MemoryStore(time.clock(), Limits.defaults());
    private final AtomicInteger turns = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile int heldTurn;

    private final Workflow<Json, String> workflow = Workflow.named("waiter").run(Json.class, String.class, (ctx, _) -> {
        if (turns.incrementAndGet() == heldTurn) {
            goOn.await();
        }
        return ctx.waitForEvent("paid", Json.class, Match.where("number", 1), TIMEOUT)
                .map(_ -> "paid")
                .orElse("gave up");
    });
    private final Perdure perdure = Perdure.over(store, new ClockAhead(), OpenOptions.defaults());

    /** A worker whose clock is an hour ahead of the store's. */
    private final class ClockAhead implements ForwardingEnvironment {
        @Override
        public Environment real() {
            return time;
        }

        @Override
        public InstantSource clock() {
            return () -> time.clock().instant().plus(Duration.ofHours(1));
        }
    }

    private static void until(BooleanSupplier holds) {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private Run<String> waiting() {
        Run<String> run = perdure.register(workflow).start().start(workflow, Json.NULL);
        until(() -> perdure.working() == 0 && run.history().size() == 2);
        return run;
    }

    /** A turn that comes while the one before is about to end waits for a moment, of which there is none while time stands still. */
    private void assertPaid(Run<String> run) throws InterruptedException {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (run.status() != RunStatus.COMPLETED) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            time.awaitIdle("perdure-leases", 1);
            time.pass(Duration.ofMillis(1));
        }
        assertThat(run.history()).noneMatch(recorded -> recorded.event() instanceof Event.WaitTimedOut);
    }

    @AfterEach
    void close() throws InterruptedException {
        goOn.countDown();
        Thread closing = time.start("closing", perdure::close);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void wait_ofAWorkerWhoseClockIsAhead_doesNotGiveUpBeforeTheStoresTime() throws InterruptedException {
        Run<String> run = waiting();
        perdure.signal(run.id(), "paid", OTHER);
        until(() -> turns.get() == 2 && perdure.working() == 0);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);

        perdure.signal(run.id(), "paid", WANTED);
        assertPaid(run);
    }

    /** The worker read the mailbox before the end of the wait, so it cannot know what came until then. */
    @Test
    void wait_thatEndsAfterTheMailboxWasRead_takesASignalThatCameInTime() throws InterruptedException {
        Run<String> run = waiting();
        heldTurn = 2;
        perdure.signal(run.id(), "paid", OTHER);
        until(() -> turns.get() == 2);
        pass(TIMEOUT.minusSeconds(1));
        perdure.signal(run.id(), "paid", WANTED);
        pass(Duration.ofSeconds(2));
        goOn.countDown();

        assertPaid(run);
    }

    private void pass(Duration by) throws InterruptedException {
        for (long passed = 0; passed < by.toSeconds(); passed++) {
            time.awaitIdle("perdure-leases", 1);
            time.pass(Duration.ofSeconds(1));
        }
    }
}
