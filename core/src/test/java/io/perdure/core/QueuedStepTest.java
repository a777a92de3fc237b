package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A step that waits for a thread of its executor, in virtual time. */
class QueuedStepTest {
    private final VirtualTime time = new VirtualTime();
    private final Perdure perdure =
            Perdure.over(new MemoryStore(time.clock(), Limits.defaults()), time, OpenOptions.defaults());

    /** Takes tasks and runs none. */
    private final Queue<Runnable> queued = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() throws InterruptedException {
        Thread closing = time.start("closing", perdure::close);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(Duration.ofSeconds(1));
        }
    }

    /** Time stands still: if the step went on waiting, its slot would become free only when its thread is abandoned, 5 s later. */
    @Test
    void cancel_whileTheStepWaitsForItsExecutor_freesItsSlotAtOnce() {
        Workflow<Json, String> workflow = Workflow.named("heavy").run(Json.class, String.class, (ctx, _) -> {
            ctx.step("compute", () -> {}, Retry.never().executor(queued::add));
            return "done";
        });
        perdure.register(workflow).start();
        Run<String> run = perdure.start(workflow, Json.NULL);
        until(() -> queued.size() == 1);

        perdure.cancel(run.id(), "not wanted");

        until(() -> perdure.working() == 0);
    }

    private static void until(BooleanSupplier holds) {
        long began = System.nanoTime();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - began).isLessThan(VirtualTime.PATIENCE.toNanos());
            Thread.onSpinWait();
        }
    }
}
