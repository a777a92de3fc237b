package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Waiting for a run's end, wherever it goes on. */
abstract class ResultContract extends WorkflowFixture {
    private static final Duration MOMENT = Duration.ofMillis(100);

    ResultContract(Opening opening) {
        super(opening);
    }

    @Test
    final void anotherEngineOverTheStoreHearsOfTheEnd() {
        Workflow<String, String> sleeper = serve(String.class, (ctx, input) -> {
            ctx.sleep("pause", Duration.ofMillis(300));
            return input + " done";
        });
        try (Engine other = another()) {
            Run<String> run = other.start(sleeper, "there");

            assertThat(run.result(PATIENCE)).isEqualTo("there done");
            assertThat(perdure.run(sleeper, run.id()).result(PATIENCE)).isEqualTo("there done");
        }
    }

    @Test
    final void manyMayWaitForOneRun() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Run<String> run = started(String.class, (ctx, _) -> {
            ctx.step("hold", () -> await(go));
            return "done";
        });
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> waits = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waits.add(pool.submit(() -> run.result(PATIENCE)));
            }
            go.countDown();
            for (Future<String> wait : waits) {
                assertThat(wait.get()).isEqualTo("done");
            }
        }
    }

    @Test
    final void aWaitThatIsOverSaysWhereTheRunStands() {
        CountDownLatch go = new CountDownLatch(1);
        Run<String> run = started(String.class, (ctx, _) -> {
            ctx.step("hold", () -> await(go));
            return "done";
        });

        assertFails(
                ErrorCode.NO_RESULT_YET,
                () -> run.result(MOMENT),
                "running",
                run.id().toString());
        assertFails(ErrorCode.NO_RESULT_YET, () -> run.result(Duration.ZERO));
        assertFails(ErrorCode.NO_RESULT_YET, () -> run.result(Duration.ofSeconds(-1)));
        go.countDown();
        assertThat(run.result(PATIENCE)).isEqualTo("done");
    }

    @Test
    final void aWaitMayLastForEver() {
        Run<String> here = started(String.class, (_, input) -> input);

        assertThat(here.result(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("input");
        assertThat(perdure.run(here.id()).result(Duration.ofSeconds(Long.MAX_VALUE)))
                .isEqualTo(Json.string("input"));
    }

    @Test
    final void anInterruptedWaiterKeepsItsFlagAndTheRunGoesOn() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Run<String> run = started(String.class, (ctx, _) -> {
            ctx.step("hold", () -> {
                begun.countDown();
                await(go);
            });
            return "done";
        });
        AtomicReference<PerdureException> thrown = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                run.result(PATIENCE);
            } catch (PerdureException e) {
                thrown.set(e);
                flag.set(Thread.currentThread().isInterrupted());
            }
        });
        await(begun);
        waiter.interrupt();
        waiter.join();

        assertThat(thrown.get().code()).isEqualTo(ErrorCode.NO_RESULT_YET);
        assertThat(flag).isTrue();
        go.countDown();
        assertThat(run.result(PATIENCE)).isEqualTo("done");
    }

    @Test
    final void closingEndsAWaitForARunThatNobodyWorksOn() throws InterruptedException {
        Run<Json> run = perdure.start("nobody", Json.NULL, StartOptions.defaults());
        AtomicReference<ErrorCode> code = new AtomicReference<>();
        CountDownLatch waiting = new CountDownLatch(1);
        Thread waiter = Thread.ofVirtual().start(() -> {
            waiting.countDown();
            assertThatExceptionOfType(PerdureException.class)
                    .isThrownBy(() -> run.result(PATIENCE))
                    .satisfies(thrown -> code.set(thrown.code()));
        });
        await(waiting);
        perdure.close();
        waiter.join();

        assertThat(code).hasValue(ErrorCode.STORE_CLOSED);
    }

    @Test
    final void aRunThatDoesNotExistIsTold() {
        RunId none = RunId.parse("0199d2a4-0000-7000-8000-000000000001");

        assertFails(ErrorCode.NO_SUCH_RUN, () -> perdure.run(none), none.toString());
    }

    @Test
    final void aRunIsToldByItsIdWithAllThatHappened() {
        Run<String> run = started(String.class, (ctx, _) -> ctx.step("a", String.class, () -> "done"));
        run.result(PATIENCE);
        Run<Json> again = perdure.run(run.id());

        assertThat(again.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(again.history()).isEqualTo(run.history()).hasSize(3);
        assertThat(again.info()).isEqualTo(run.info());
        assertThat(again.info().output()).isEqualTo(Json.string("done"));
        assertThat(again.info().completedAt()).isNotNull();
    }

    @Test
    final void aResultThatDoesNotFitItsTypeIsTold() {
        Run<String> run = started(String.class, (_, input) -> input);
        run.result(PATIENCE);
        Workflow<String, Integer> wrong = workflow(Integer.class, (_, _) -> 1);

        assertFails(ErrorCode.UNFIT_VALUE, () -> perdure.run(wrong, run.id()).result(PATIENCE));
    }
}
