package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits for the result of a run that becomes parked. Time stands still, except for 20 ms now and then, so nobody finds the parking by looking again after 5 s. */
@Timeout(120)
class ParkedWaitsTest extends PerdureFixture {
    private static final String WAITER = "waiter";

    /** How long a waiter leaves the store alone while a worker of its process has the run. */
    private static final Duration MOMENT = Duration.ofMillis(20);

    private final CountDownLatch go = new CountDownLatch(1);
    private final Workflow<Json, String> mistaken = Workflow.named("mistaken")
            .run(Json.class, String.class, (ctx, _) -> {
                ctx.step("hold", () -> go.await());
                return ctx.attempt().idempotencyKey();
            });

    private CompletableFuture<ErrorCode> waiting(Run<?> run, int waiters) throws InterruptedException {
        CompletableFuture<ErrorCode> heard = new CompletableFuture<>();
        time.start(WAITER, () -> heard.complete(codeOf(run)));
        time.awaitIdle(WAITER, waiters);
        return heard;
    }

    private static ErrorCode codeOf(Run<?> run) {
        try {
            throw new AssertionError("a result: " + run.result(LONG));
        } catch (PerdureException e) {
            return e.code();
        }
    }

    /** Lets the run be parked after all waiters have looked at the store; returns when its worker has let go of it. */
    private void park(Run<?> run, int waiters) throws InterruptedException {
        time.pass(MOMENT);
        time.awaitIdle(WAITER, waiters);
        go.countDown();
        while (run.status() != RunStatus.PARKED || time.running("perdure-run-" + run.id()) > 0) {
            // The class's timeout interrupts.
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            Thread.onSpinWait();
        }
        time.pass(MOMENT);
    }

    @AfterEach
    void close() throws InterruptedException {
        go.countDown();
        Thread closing = time.start("closing", perdure::close);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(SECOND);
        }
    }

    @Test
    void result_byTheHandleOfTheStart_withoutHints_throwsOnTheWorkersWord() throws InterruptedException {
        bent.loseHints();
        Run<String> run = perdure.register(mistaken).start().start(mistaken, Json.NULL);
        CompletableFuture<ErrorCode> heard = waiting(run, 1);

        park(run, 1);

        assertThat(heard).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(ErrorCode.RUN_PARKED);
    }

    @Test
    void result_byTheIdOfAClaimedRun_withoutHints_throwsOnTheWorkersWord() throws InterruptedException {
        bent.loseHints();
        Run<String> run = perdure.register(mistaken).start(mistaken, Json.NULL);
        perdure.start();
        CompletableFuture<ErrorCode> heard = waiting(perdure.run(run.id()), 1);

        park(run, 1);

        assertThat(heard).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(ErrorCode.RUN_PARKED);
    }

    @Test
    void result_byTheIdOrInAnotherProcess_throwsOnTheStoresHint() throws InterruptedException {
        Run<String> run = perdure.register(mistaken).start().start(mistaken, Json.NULL);
        try (Perdure elsewhere = Perdure.over(bent.real(), time, OpenOptions.defaults())) {
            CompletableFuture<ErrorCode> byItsId = waiting(perdure.run(run.id()), 1);
            CompletableFuture<ErrorCode> heard = waiting(elsewhere.run(run.id()), 2);

            park(run, 2);

            assertThat(byItsId).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(ErrorCode.RUN_PARKED);
            assertThat(heard).succeedsWithin(VirtualTime.PATIENCE).isEqualTo(ErrorCode.RUN_PARKED);
        }
    }
}
