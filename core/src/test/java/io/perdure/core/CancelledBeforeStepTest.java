package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A run is cancelled after its worker has looked whether it may begin a step, and before the step begins. */
class CancelledBeforeStepTest {
    private final AtomicInteger ran = new AtomicInteger();
    private final CompletableFuture<RunId> started = new CompletableFuture<>();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final Environment real = new SystemEnvironment();
    private final Perdure perdure = Perdure.over(
            new MemoryStore(real.clock(), Limits.defaults()), new BetweenLookAndStep(), OpenOptions.defaults());

    /** When a worker asks for the time at which a step begins, the run is cancelled first. */
    private final class BetweenLookAndStep implements ForwardingEnvironment {
        @Override
        public Environment real() {
            return real;
        }

        @Override
        public InstantSource clock() {
            return () -> {
                if (Thread.currentThread().getName().startsWith("perdure-run-") && !cancelled.getAndSet(true)) {
                    perdure.cancel(started.join(), "no longer wanted");
                }
                return real.clock().instant();
            };
        }
    }

    private void assertNoStepBegins(Run<?> run) {
        started.complete(run.id());
        while (!cancelled.get()) {
            Thread.onSpinWait();
        }
        // Waits until the worker has let go.
        perdure.close();
        assertThat(ran).hasValue(0);
    }

    @Test
    void noStepBegins() {
        Workflow<Json, String> workflow = Workflow.named("plain").run(Json.class, String.class, (ctx, _) -> {
            ctx.step("first", () -> {
                ran.incrementAndGet();
            });
            return "done";
        });
        assertNoStepBegins(perdure.register(workflow).start().start(workflow, Json.NULL));
    }

    @Test
    void noStepOfAStepFlowBegins() {
        StepFlow flow = StepFlow.named("flow").step("start", _ -> {
            ran.incrementAndGet();
            return Next.done("done");
        });
        assertNoStepBegins(perdure.register(flow).start().start(flow, Json.NULL));
    }
}
