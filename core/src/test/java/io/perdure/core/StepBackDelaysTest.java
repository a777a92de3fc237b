package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Sleeps and delays that begin after the store's clock was set back take as long as they should: until that clock has caught up, events have the time of
 * the event before them, and delays are counted from what the clock reads.
 */
class StepBackDelaysTest {
    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private volatile Duration setBackBy = Duration.ZERO;
    private final AtomicBoolean setBack = new AtomicBoolean();
    private final Perdure perdure = Perdure.over(
            new MemoryStore(() -> time.clock().instant().minus(setBackBy), Limits.defaults()),
            time,
            OpenOptions.defaults());

    /** When the code came by, by a clock that is not set back. */
    private final List<Instant> seen = new CopyOnWriteArrayList<>();

    private void note() {
        seen.add(time.clock().instant());
    }

    /** Sets the clock of the store back, once. */
    private void setBack(Duration by) {
        if (setBack.compareAndSet(false, true)) {
            setBackBy = by;
        }
    }

    private Duration between(int one, int other) {
        return Duration.between(seen.get(one), seen.get(other));
    }

    private void completes(WorkflowCode<Json, Json> code) throws InterruptedException {
        Workflow<Json, Json> workflow = Workflow.named("sleeper").run(Json.class, Json.class, code);
        completes(perdure.register(workflow).start().start(workflow, Json.NULL));
    }

    /** Lets time pass until the run is completed, but only while all threads wait for it: what does not wait, takes no time. */
    private void completes(Run<?> run) throws InterruptedException {
        long deadline = System.nanoTime() + VirtualTime.PATIENCE.toNanos();
        while (!run.status().isTerminal()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
            time.awaitIdle("perdure-leases", 1);
            time.awaitIdle("perdure-claims", 1);
            if (perdure.working() == 0 || time.isIdle("perdure-run-" + run.id())) {
                time.pass(TICK);
            }
            Thread.onSpinWait();
        }
        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
    }

    @AfterEach
    void close() throws InterruptedException {
        Thread closing = time.start("closing", perdure::close);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void sleep_begunAfterClockStepsBack_lastsAsLongAsItShould() throws InterruptedException {
        completes((ctx, input) -> {
            ctx.step("before", () -> setBack(Duration.ofDays(365)));
            ctx.step("asleep", this::note);
            ctx.sleep("sleep", LONG);
            ctx.step("awake", this::note);
            return input;
        });

        assertThat(between(0, 1)).isBetween(LONG, Duration.ofDays(1));
    }

    @Test
    void sleep_shortAndBegunAfterClockStepsBack_isNotCutShort() throws InterruptedException {
        completes((ctx, input) -> {
            ctx.step("before", () -> setBack(Duration.ofHours(1)));
            ctx.step("asleep", this::note);
            ctx.sleep("sleep", SHORT);
            ctx.step("awake", this::note);
            return input;
        });

        assertThat(between(0, 1)).isBetween(SHORT, Duration.ofMinutes(30));
    }

    @Test
    void sleepUntil_whenClockStepsBackAfterTheClaim_doesNotEndEarly() throws InterruptedException {
        Duration step = Duration.ofSeconds(5);
        completes((ctx, input) -> {
            ctx.step("asleep", this::note);
            Instant until = ctx.now().plus(SHORT);
            ctx.step("before", () -> setBack(step));
            ctx.sleepUntil("sleep", until);
            ctx.step("awake", this::note);
            return input;
        });

        assertThat(between(0, 1)).isGreaterThanOrEqualTo(step);
    }

    @Test
    void retry_afterClockStepsBack_waitsForItsDelay() throws InterruptedException {
        completes((ctx, input) -> {
            ctx.step("before", () -> setBack(Duration.ofHours(1)));
            ctx.step("third-time", this::failTwice, Retry.fixed(3, SHORT));
            return input;
        });

        assertThat(seen).hasSize(3);
        assertThat(between(0, 1)).isBetween(SHORT, Duration.ofMinutes(30));
        assertThat(between(1, 2)).isBetween(SHORT, Duration.ofMinutes(30));
    }

    @Test
    void retry_ofStepFlowAfterClockStepsBack_waitsForItsDelay() throws InterruptedException {
        StepFlow flow = StepFlow.named("flow")
                .step("start", _ -> {
                    setBack(Duration.ofHours(1));
                    failTwice();
                    return Next.done();
                })
                .maxAttempts(3)
                .backoff(Backoff.fixed(SHORT));
        completes(perdure.register(flow).start().start(flow, Json.NULL));

        assertThat(seen).hasSize(3);
        assertThat(between(0, 1)).isBetween(SHORT, Duration.ofMinutes(30));
        assertThat(between(1, 2)).isBetween(SHORT, Duration.ofMinutes(30));
    }

    private void failTwice() {
        note();
        if (seen.size() < 3) {
            throw new IllegalStateException("not yet");
        }
    }
}
