package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for the result of a run that is parked. */
@Timeout(120)
abstract class ParkedResultContract extends WorkflowFixture {
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final CountDownLatch go = new CountDownLatch(1);

    ParkedResultContract(Opening opening) {
        super(opening);
    }

    /** Is parked as long as it is broken: it asks for the attempt outside a step. */
    private Workflow<String, String> served() {
        return serve(String.class, (ctx, _) -> {
            ctx.step("hold", () -> await(go));
            return broken.get() ? ctx.attempt().idempotencyKey() : "done";
        });
    }

    private Run<String> parked() throws InterruptedException {
        go.countDown();
        Run<String> run = perdure.start(served(), "");
        untilItIsParked(run, ErrorCode.NOT_IN_STEP);
        return run;
    }

    private static void assertSaysParked(Run<?> run, Duration atMost) {
        assertFails(
                ErrorCode.RUN_PARKED,
                () -> run.result(atMost),
                "Run " + run.id() + " of sample@1 is parked: PD-506 ",
                "`perdure runs resume " + run.id() + "`");
    }

    @Test
    final void result_onAParkedRun_throwsAtOnceWithReasonAndRepairCommand() throws InterruptedException {
        Run<String> run = parked();

        assertSaysParked(run, A_DAY);
        assertSaysParked(run, Duration.ZERO);
        assertSaysParked(perdure.run(run.id()), A_DAY);
        try (Engine other = another()) {
            assertSaysParked(other.run(run.id()), A_DAY);
        }
    }

    @Test
    final void result_whenTheRunBecomesParkedDuringTheWait_throws() throws Exception {
        Run<String> run = perdure.start(served(), "");
        CountDownLatch waiting = new CountDownLatch(3);
        try (Engine other = another();
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ErrorCode> byItsHandle = pool.submit(() -> codeOf(run, waiting));
            Future<ErrorCode> byItsId = pool.submit(() -> codeOf(perdure.run(run.id()), waiting));
            Future<ErrorCode> elsewhere = pool.submit(() -> codeOf(other.run(run.id()), waiting));
            await(waiting);
            go.countDown();

            assertThat(byItsHandle.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ErrorCode.RUN_PARKED);
            assertThat(byItsId.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ErrorCode.RUN_PARKED);
            assertThat(elsewhere.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ErrorCode.RUN_PARKED);
        }
    }

    private static ErrorCode codeOf(Run<?> run, CountDownLatch waiting) {
        waiting.countDown();
        try {
            throw new AssertionError("a result: " + run.result(A_DAY));
        } catch (PerdureException e) {
            return e.code();
        }
    }

    @Test
    final void result_afterAResume_waitsForTheEnd() throws InterruptedException {
        Run<String> run = parked();
        assertSaysParked(run, A_DAY);
        broken.set(false);
        perdure.resume(run.id(), "the code is fixed");

        assertThat(run.result(PATIENCE)).isEqualTo("done");
    }

    @Test
    final void resultAcrossParking_waitsUntilTheRunWasResumedAndHasEnded() throws Exception {
        Run<String> run = parked();
        assertFails(
                ErrorCode.NO_RESULT_YET,
                () -> run.resultAcrossParking(MOMENT),
                "Run " + run.id() + " is parked after a wait",
                "PD-506");
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch waiting = new CountDownLatch(1);
            Future<String> result = pool.submit(() -> {
                waiting.countDown();
                return run.resultAcrossParking(A_DAY);
            });
            await(waiting);
            broken.set(false);
            perdure.resume(run.id(), "the code is fixed");

            assertThat(result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("done");
        }
    }

    @Test
    final void resultAcrossParking_whenTheParkedRunIsCancelled_throwsThat() throws InterruptedException {
        Run<String> run = parked();
        perdure.cancel(run.id(), "not wanted");

        assertFails(ErrorCode.RUN_CANCELLED, () -> run.resultAcrossParking(PATIENCE), "not wanted");
        assertFails(ErrorCode.RUN_CANCELLED, () -> run.result(PATIENCE), "not wanted");
    }
}
