package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.testkit.ForwardingStore;
import io.perdure.testkit.crash.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Cancels that come at a bad moment. */
abstract class CancelRaceContract extends WorkflowFixture {
    private static final String WHY = "no longer wanted";

    CancelRaceContract(Opening opening) {
        super(opening);
    }

    /** Its worker holds it, and has read its history, but has not begun with it when the cancel comes. */
    @Test
    final void aRunThatIsCancelledWhileItIsClaimedBeginsNoStep() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        Workflow<String, String> counted = workflow(String.class, (ctx, input) -> {
            ctx.step("first", () -> {
                ran.addAndGet(input.isEmpty() ? 1 : 0);
            });
            return "done";
        });
        RunId run = perdure.start(counted, "").id();
        // The store is the bent one's from here on.
        perdure.close();
        CountDownLatch here = new CountDownLatch(1);
        AtomicReference<@Nullable Engine> engine = new AtomicReference<>();
        Store bent = new ForwardingStore(Stores.open(url(), new SystemEnvironment(), Limits.defaults())) {
            @Override
            public SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes) {
                SizedSnapshots read = store.snapshots(tenant, runs, bytes);
                awaitQuietly(here);
                Objects.requireNonNull(engine.get()).cancel(run, WHY);
                return read;
            }
        };
        try (bent;
                Engine worker = Engine.over(bent, counted)) {
            engine.set(worker);
            here.countDown();
            assertFails(ErrorCode.RUN_CANCELLED, () -> worker.run(counted, run).result(PATIENCE), WHY);
            // Claimed after it: by then it has begun, if it does.
            worker.start(counted, "next", StartOptions.defaults().delay(Duration.ofMillis(1)))
                    .result(PATIENCE);
            until(() -> worker.working() == 0);
        }
        reopen(OpenOptions.defaults());
        assertThat(perdure.run(run).history().getLast().event()).isInstanceOf(Event.RunCancelled.class);
        assertThat(ran).hasValue(0);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            await(latch);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
