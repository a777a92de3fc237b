package io.perdure.testkit.workflow;

import static io.perdure.testkit.TimedAttempt.withTimeEnough;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.run.RecoveryReason;
import io.perdure.sdk.run.RecoveryReport;
import io.perdure.sdk.run.RecoveryReport.Recovered;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Runs that nothing brings on any more, each made so for real, and the sweep that finds and mends them. */
abstract class RecoveryContract extends WorkflowFixture {
    private static final StepName START = StepFlow.FIRST;
    private static final WorkflowName FLOW = new WorkflowName("flow");

    private final WorkflowContract.LostMessage lost;

    RecoveryContract(Opening opening, WorkflowContract.LostMessage lost) {
        super(opening);
        this.lost = lost;
    }

    /** Steps are given up as soon as their time is over. */
    private static OpenOptions withoutGrace() {
        Limits usual = Limits.defaults();
        return new OpenOptions(
                TenantId.DEFAULT, Codec.standard(), usual.with(usual.upkeep().recoverGrace(Duration.ZERO)));
    }

    private static StepFlow flow() {
        return StepFlow.named(FLOW.value()).backoff(Backoff.fixed(Duration.ofMillis(600)));
    }

    private void assertRecovers(RecoveryReason reason, Run<?> run) {
        WorkflowName workflow = run.info().workflow();
        RecoveryReport report = perdure.operations().recover();

        assertThat(report.recovered()).containsExactly(new Recovered(run.id(), workflow, reason));
        assertThat(report.counts()).containsEntry(reason, 1L);
        assertThat(report.total()).isEqualTo(1);
        assertThat(perdure.operations().recovered()).containsEntry(reason, 1L);
        assertThat(perdure.operations().recover().total()).isZero();
    }

    @Test
    final void aRunWhoseFirstStepWasNeverStarted() {
        StepFlow flow = flow().step("start", _ -> Next.done("over"));
        Run<Json> run = perdure.start(flow, null);
        lost.lose(url(), run.id());
        perdure.register(flow).start();

        assertRecovers(RecoveryReason.STUCK_CREATED, run);
        assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("over");
        assertThat(events(run, Event.RunResumed.class))
                .containsExactly(new Event.RunResumed("perdure", "stuck_created", null));
    }

    @Test
    final void aRunWhoseNextStepWasNeverStarted() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicInteger starts = new AtomicInteger();
        StepFlow flow = flow().step("start", _ -> {
                    starts.incrementAndGet();
                    inside.countDown();
                    await(leave);
                    return Next.step("finish");
                })
                .step("finish", _ -> Next.done("over"));
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null);
        await(inside);
        // The worker goes away between its commits: after the one step, before the other.
        reopenAround(leave);
        lost.lose(url(), run.id());
        perdure.register(flow).start();
        Run<Json> left = perdure.run(run.id());
        assertThat(left.history().getLast().event()).isInstanceOf(Event.StepCompleted.class);

        assertRecovers(RecoveryReason.STUCK_COMPLETED, left);
        assertThat(left.as(String.class).result(PATIENCE)).isEqualTo("over");
        assertThat(starts).hasValue(1);
    }

    @Test
    final void aRunWhoseNextAttemptWasNeverStarted() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        StepFlow flow = flow().step("start", ctx -> {
            if (attempts.incrementAndGet() == 1) {
                inside.countDown();
                await(leave);
                throw new IOException("once");
            }
            return Next.done(ctx.attempt().number());
        });
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null);
        await(inside);
        // A worker that goes away makes no further attempt, however soon that is due.
        reopenAround(leave);
        assertThat(events(perdure.run(run.id()), Event.StepFailed.class)).hasSize(1);
        lost.lose(url(), run.id());
        perdure.register(flow).start();

        Run<Json> left = perdure.run(run.id());
        assertRecovers(RecoveryReason.STUCK_FAILED, left);
        assertThat(left.as(Integer.class).result(PATIENCE)).isEqualTo(2);
    }

    @Test
    final void aRunWhoseEndWasNeverWritten() {
        Run<Json> completes = leftAfter(new Event.StepCompleted(
                START, 1, Json.string("result"), Map.of(), null, Instant.parse("2026-01-01T12:00:00Z")));
        assertRecovers(RecoveryReason.STUCK_TERMINAL, completes);
        assertThat(completes.as(String.class).result(PATIENCE)).isEqualTo("result");

        Failure why = new Failure("java.io.IOException", "for good", null);
        Run<Json> fails = leftAfter(new Event.StepFailed(START, 3, why, true));
        RecoveryReport report = perdure.operations().recover();
        assertThat(report.counts()).containsEntry(RecoveryReason.STUCK_TERMINAL, 1L);
        assertFails(ErrorCode.RUN_FAILED, () -> fails.result(PATIENCE), "for good");
    }

    /** A run of a StepFlow whose worker wrote this as the last, and whose message is gone. */
    private Run<Json> leftAfter(Event last) {
        Run<Json> run = perdure.start(flow().step("start", _ -> Next.done("not this")), null);
        SystemEnvironment environment = new SystemEnvironment();
        try (Store store = Stores.open(url(), environment, Limits.defaults())) {
            Lease lease = new Lease(environment.ids().token(), Duration.ofSeconds(10));
            List<Claim.Served> served = List.of(new Claim.Served(FLOW, Set.of(1)));
            List<ClaimedRun> claimed = store.claim(new ClaimRuns(TenantId.DEFAULT, served, 1, lease))
                    .runs();
            assertThat(claimed).extracting(ClaimedRun::run).containsExactly(run.id());
            ProcessId process = environment.ids().processId();
            store.openLanes(process, 1);
            List<Draft> events = List.of(new Draft(new Event.StepStarted(START, 1)), new Draft(last));
            List<Outcome> outcomes = store.commit(new Batch(
                    new LaneId(process, 0),
                    1,
                    List.of(new RunCommit.Advance(
                            TenantId.DEFAULT, run.id(), lease.token(), 1, events, List.of(), null))));
            assertThat(outcomes).hasOnlyElementsOfType(Outcome.Appended.class);
        }
        lost.lose(url(), run.id());
        return run;
    }

    @Test
    final void aStepThatHeedsNoInterruptIsGivenUpAndWhatItReturnsIsNotRecorded() throws InterruptedException {
        reopen(withoutGrace());
        CountDownLatch inside = new CountDownLatch(1);
        Semaphore leave = new Semaphore(0);
        AtomicInteger attempts = new AtomicInteger();
        StepFlow flow = flow().stepTimeout(Duration.ofMillis(50))
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .step("start", ctx -> {
                    if (attempts.incrementAndGet() == 1) {
                        inside.countDown();
                        leave.acquireUninterruptibly();
                    }
                    return Next.done(ctx.attempt().number());
                });
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null);
        await(inside);
        List<Recovered> recovered = new ArrayList<>();
        until(() -> {
            recovered.addAll(perdure.operations().recover().recovered());
            return !recovered.isEmpty();
        });
        assertThat(recovered).containsExactly(new Recovered(run.id(), FLOW, RecoveryReason.TIMEOUT));
        // Who is to make the next attempt here does not hold the run while the one before hangs on.
        until(() -> perdure.operations().recover().total() == 0 && perdure.working() == 1);
        leave.release();

        assertThat(run.as(Integer.class).result(PATIENCE)).isEqualTo(2);
        assertThat(events(run, Event.StepFailed.class)).singleElement().satisfies(failed -> {
            assertThat(failed.reason().type()).isEqualTo("timeout");
            assertThat(failed.attempt()).isEqualTo(1);
        });
        assertThat(events(run, Event.StepCompleted.class)).hasSize(1);
    }

    @Test
    final void aLastAttemptThatIsGivenUpFailsTheRunInTheSameCommit() throws InterruptedException {
        reopen(withoutGrace());
        CountDownLatch inside = new CountDownLatch(1);
        Semaphore leave = new Semaphore(0);
        StepFlow flow = flow().stepTimeout(Duration.ofMillis(50)).maxAttempts(1).step("start", _ -> {
            inside.countDown();
            leave.acquireUninterruptibly();
            return Next.done("too late");
        });
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null);
        await(inside);
        until(() -> perdure.operations().recover().total() > 0);

        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        var history = run.history();
        assertThat(history.getLast().event()).isInstanceOf(Event.RunFailed.class);
        assertThat(history.get(history.size() - 2).event()).isInstanceOf(Event.StepFailed.class);
        assertThat(history.getLast().at())
                .isEqualTo(history.get(history.size() - 2).at());
        leave.release();
        until(() -> perdure.working() == 0);
        assertThat(run.history()).isEqualTo(history);
    }

    @Test
    final void aStepWithinItsTimeIsLeftAlone() throws InterruptedException {
        reopen(withoutGrace());
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        StepFlow flow = flow().step("start", _ -> {
            inside.countDown();
            await(leave);
            return Next.done("in time");
        });
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null);
        await(inside);
        assertThat(perdure.operations().recover().total()).isZero();
        leave.countDown();

        assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("in time");
    }

    @Test
    final void aWorkflowWrittenAsCodeIsRecoveredToo() throws InterruptedException {
        Workflow<String, String> waiter = workflow(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        perdure.register(waiter).start();
        Run<String> run = perdure.start(waiter, "");
        untilItWaits(run);
        lost.lose(url(), run.id());
        assertRecovers(RecoveryReason.STUCK_COMPLETED, run);

        until(() -> perdure.working() == 0);
        perdure.signal(run.id(), "paid", "done");
        assertThat(run.result(PATIENCE)).isEqualTo("done");
    }

    @Test
    final void sweepsAndWorkersSideBySideMendEachRunOnce() throws Exception {
        StepFlow flow = flow().step("start", _ -> Next.done("over"));
        List<Run<Json>> runs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Run<Json> run = perdure.start(flow, null);
            runs.add(run);
            if (i % 2 == 0) {
                lost.lose(url(), run.id());
            }
        }
        long mended = 0;
        try (Engine other = another();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            perdure.register(flow).start();
            List<Future<RecoveryReport>> sweeps = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sweeps.add(threads.submit(() -> perdure.operations().recover()));
                sweeps.add(threads.submit(() -> other.operations().recover()));
            }
            for (Future<RecoveryReport> sweep : sweeps) {
                mended += total(sweep);
            }
        }
        assertThat(mended).isEqualTo(20);
        for (int i = 0; i < runs.size(); i++) {
            Run<Json> run = runs.get(i);
            assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("over");
            assertThat(events(run, Event.RunResumed.class)).hasSize(i % 2 == 0 ? 1 : 0);
            assertThat(events(run, Event.StepCompleted.class)).hasSize(1);
        }
    }

    private static long total(Future<RecoveryReport> sweep) throws InterruptedException, ExecutionException {
        return sweep.get().total();
    }

    @Test
    final void anEngineThatWorksDoesItByItself() throws InterruptedException {
        reopen(OpenOptions.defaults().recoverEvery(Duration.ofMillis(50)));
        StepFlow flow = flow().step("start", _ -> Next.done("over"));
        Run<Json> run = perdure.start(flow, null);
        lost.lose(url(), run.id());
        perdure.register(flow).start();

        assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("over");
        // A worker may complete the run before the thread that recovered it counts that.
        until(() -> !perdure.operations().recovered().isEmpty());
        assertThat(perdure.operations().recovered()).containsEntry(RecoveryReason.STUCK_CREATED, 1L);
    }

    @Test
    final void whatIsParkedOrOverIsLeftAlone() throws InterruptedException {
        StepFlow flow =
                flow().step("start", ctx -> Next.step(ctx.input(String.class))).step("end", _ -> Next.done());
        perdure.register(flow).start();
        Run<Json> parked = perdure.start(flow, "nowhere");
        Run<Json> over = perdure.start(flow, "end");
        untilItIsParked(parked, ErrorCode.MISSING_STEP);
        over.result(PATIENCE);

        assertThat(perdure.operations().recover().total()).isZero();
        assertThat(parked.status()).isEqualTo(RunStatus.PARKED);
    }

    @Test
    final void aRunThatWasLetGoOfInAStepAndWaitsForAWorkerIsLeftAlone() throws InterruptedException {
        withTimeEnough(Duration.ofSeconds(1), this::leavesAloneWhatWasLetGoOf);
    }

    /** The step has more time than it takes to close the engine, which is what is to stop it. */
    private boolean leavesAloneWhatWasLetGoOf(Duration timeout) throws InterruptedException {
        reopen(withoutGrace().drain(Duration.ZERO));
        CountDownLatch inside = new CountDownLatch(1);
        StepFlow flow = flow().stepTimeout(timeout).maxAttempts(1).step("start", _ -> {
            if (inside.getCount() > 0) {
                inside.countDown();
                new CountDownLatch(1).await();
            }
            return Next.done("after the deploy");
        });
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null);
        await(inside);
        reopen(withoutGrace());
        Run<Json> left = perdure.run(run.id());
        if (left.status() == RunStatus.FAILED) {
            return false;
        }
        Instant over = Objects.requireNonNull(left.history().getLast().until());
        until(() -> Instant.now().isAfter(over.plusMillis(50)));
        assertThat(perdure.operations().recover().total()).isZero();
        perdure.register(flow).start();

        assertThat(left.as(String.class).result(PATIENCE)).isEqualTo("after the deploy");
        return true;
    }

    @Test
    final void aRunThatWasPutBackIntoItsStepAndLostItsMessage() {
        StepFlow flow = flow().step("start", _ -> Next.done("over"));
        Run<Json> run = leftAfter(new Event.RunParked("lapsed", "ten times"));
        perdure.resume(run.id(), "mended");
        lost.lose(url(), run.id());
        perdure.register(flow).start();

        assertRecovers(RecoveryReason.STUCK_COMPLETED, run);
        assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("over");
    }
}
