package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Release;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The attempts of a StepFlow's steps: who makes them, how often, and for how long. */
abstract class FlowAttemptContract extends FlowFixture {
    FlowAttemptContract(Opening opening) {
        super(opening);
    }

    @Test
    final void theEndIsCommittedTogetherWithTheStepThatCausedIt() {
        Run<Json> completed = started(flow().step("start", _ -> Next.done(1)));
        completed.result(PATIENCE);
        List<Recorded> history = completed.history();

        assertThat(history.getLast().event()).isInstanceOf(Event.RunCompleted.class);
        assertThat(history.getLast().at())
                .isEqualTo(history.get(history.size() - 2).at());
    }

    @Test
    final void whatAFailedAttemptWroteIsForgotten() {
        AtomicInteger attempts = new AtomicInteger();
        Run<Json> run = started(flow().step("start", ctx -> {
                    if (attempts.incrementAndGet() == 1) {
                        ctx.put("left", "over");
                        throw new IOException("once");
                    }
                    return Next.step("look");
                })
                .step("look", ctx -> Next.done(ctx.find("left", String.class).isPresent())));

        assertThat(run.as(Boolean.class).result(PATIENCE)).isFalse();
        assertThat(events(run, Event.StepFailed.class)).singleElement().satisfies(failed -> {
            assertThat(failed.attempt()).isEqualTo(1);
            assertThat(failed.retryable()).isTrue();
        });
        assertThat(events(run, Event.StepStarted.class))
                .extracting(Event.StepStarted::attempt)
                .containsExactly(1, 2, 1);
    }

    @Test
    final void aStepWhoseAttemptsAreUsedUpFailsTheRunInOneCommit() {
        Run<Json> run = started(flow().maxAttempts(2).step("start", ctx -> {
            throw new IOException("attempt " + ctx.attempt().number());
        }));

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "attempt 2");
        assertThat(told(run))
                .containsExactly(
                        "RunCreated",
                        "StepStarted \"start\"",
                        "StepFailed \"start\"",
                        "StepStarted \"start\"",
                        "StepFailed \"start\"",
                        "RunFailed");
        List<Recorded> history = run.history();
        assertThat(history.getLast().at())
                .isEqualTo(history.get(history.size() - 2).at());
    }

    @Test
    final void threeAttemptsAreMadeUnlessSaidOtherwise() {
        AtomicInteger attempts = new AtomicInteger();
        Run<Json> run = started(flow().step("start", _ -> {
            attempts.incrementAndGet();
            throw new IOException("always");
        }));

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "always");
        assertThat(attempts).hasValue(3);
    }

    @Test
    final void anErrorThatNoAttemptMendsFailsTheRunAtOnce() {
        Run<Json> run = started(flow().notOn(IllegalStateException.class).step("start", _ -> {
            throw new IllegalStateException("for good");
        }));

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "for good");
        assertThat(events(run, Event.StepFailed.class))
                .singleElement()
                .extracting(Event.StepFailed::retryable)
                .isEqualTo(false);
    }

    @Test
    final void anAttemptThatTakesTooLongIsInterruptedAndTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        Run<Json> run = started(flow().stepTimeout(Duration.ofMillis(50)).step("start", ctx -> {
            if (attempts.incrementAndGet() == 1) {
                new CountDownLatch(1).await();
            }
            return Next.done(ctx.attempt().number());
        }));

        assertThat(run.as(Integer.class).result(PATIENCE)).isEqualTo(2);
        assertThat(events(run, Event.StepFailed.class))
                .singleElement()
                .extracting(failed -> failed.reason().type())
                .isEqualTo("timeout");
    }

    @Test
    final void aRetryThatIsFarOffLetsGoOfTheRunAndComesInAnotherProcess() throws InterruptedException {
        StepFlow flow = StepFlow.named("flow")
                .backoff(Backoff.fixed(Duration.ofMillis(600)))
                .step("start", ctx -> {
                    if (ctx.attempt().number() == 1) {
                        throw new IOException("once");
                    }
                    return Next.done(ctx.attempt().number());
                });
        Run<Json> run = started(flow);
        until(() -> !events(run, Event.StepFailed.class).isEmpty() && perdure.working() == 0);
        reopen(OpenOptions.defaults());
        perdure.register(flow).start();

        assertThat(perdure.run(run.id()).as(Integer.class).result(PATIENCE)).isEqualTo(2);
    }

    @Test
    final void aFlowThatIsLeftInAStepIsBegunAnewByTheNextProcess() throws InterruptedException {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        StepFlow flow = flow().step("start", ctx -> {
            if (begun.incrementAndGet() == 1) {
                inside.countDown();
                new CountDownLatch(1).await();
            }
            return Next.done(ctx.attempt().number());
        });
        reopen(OpenOptions.defaults().drain(Duration.ZERO));
        Run<Json> run = started(flow);
        await(inside);
        reopen(OpenOptions.defaults());
        perdure.register(flow).start();

        // It was stopped, and did not fail: the attempt is the same.
        Run<Json> again = perdure.run(run.id());
        assertThat(again.as(Integer.class).result(PATIENCE)).isEqualTo(1);
        assertThat(events(again, Event.StepStarted.class))
                .extracting(Event.StepStarted::attempt)
                .containsExactly(1, 1);
    }

    @Test
    final void ofTwoWorkersThatClaimTheSameStepOneWinsAndTheOtherBacksOffWithoutHarm() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        StepFlow flow = flow().step("start", _ -> Next.done(ran.incrementAndGet()));
        Run<Json> run = perdure.start(flow, null);
        SystemEnvironment environment = new SystemEnvironment();
        try (Store store = Stores.open(url(), environment, Limits.defaults())) {
            UUID slow = claimed(store, run, Duration.ofMillis(1));
            UUID quick = claimed(store, run, Duration.ofSeconds(10));
            ProcessId process = environment.ids().processId();
            store.openLanes(process, 1);
            List<Draft> start =
                    List.of(new Draft(new Event.StepStarted(StepFlow.FIRST, 1), Due.in(Duration.ofMinutes(5))));

            assertThat(commit(store, process, 1, advance(run, quick, 1, start, null)))
                    .isInstanceOf(Outcome.Appended.class);
            assertThat(commit(store, process, 2, advance(run, slow, 1, start, null)))
                    .isInstanceOf(Outcome.LeaseLost.class);
            assertThat(commit(store, process, 3, advance(run, quick, 1, start, null)))
                    .isEqualTo(new Outcome.Conflict(1));
            assertThat(commit(store, process, 4, advance(run, quick, 2, List.of(), Release.until(Due.atOnce()))))
                    .isInstanceOf(Outcome.Appended.class);
        }
        perdure.register(flow).start();
        assertThat(run.as(Integer.class).result(PATIENCE)).isEqualTo(1);
        assertThat(events(run, Event.StepStarted.class))
                .extracting(Event.StepStarted::attempt)
                .containsExactly(1, 1);
    }

    private UUID claimed(Store store, Run<?> run, Duration length) throws InterruptedException {
        Lease lease = new Lease(UUID.randomUUID(), length);
        List<Claim.Served> served = List.of(new Claim.Served(new WorkflowName("flow"), Set.of(1)));
        until(() -> store.claim(new ClaimRuns(TenantId.DEFAULT, served, 1, lease)).runs().stream()
                .anyMatch(claimed -> claimed.run().equals(run.id())));
        return lease.token();
    }

    private static RunCommit advance(Run<?> run, UUID token, long seq, List<Draft> events, @Nullable Release release) {
        return new RunCommit.Advance(TenantId.DEFAULT, run.id(), token, seq, events, List.of(), release);
    }

    private static Outcome commit(Store store, ProcessId process, long number, RunCommit commit) {
        return store.commit(new Batch(new LaneId(process, 0), number, List.of(commit)))
                .getFirst();
    }

    @Test
    final void aStepThatKillsItsProcessAgainAndAgainParksTheRun() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        StepFlow flow = flow().step("start", _ -> Next.done(ran.incrementAndGet()));
        Run<Json> run = perdure.start(flow, null);
        SystemEnvironment environment = new SystemEnvironment();
        int most = Limits.defaults().runs().lapsesBeforeParking();
        try (Store store = Stores.open(url(), environment, Limits.defaults())) {
            ProcessId process = environment.ids().processId();
            store.openLanes(process, 1);
            List<Draft> start = List.of(new Draft(new Event.StepStarted(StepFlow.FIRST, 1)));
            for (int number = 1; number <= most; number++) {
                // Each process that takes it up says that it begins, and is never heard of again.
                UUID token = claimed(store, run, Duration.ofMillis(1));
                assertThat(commit(store, process, number, advance(run, token, number, start, null)))
                        .isInstanceOf(Outcome.Appended.class);
            }
        }
        perdure.register(flow).start();
        until(() -> run.status() == RunStatus.PARKED);
        assertThat(events(run, Event.RunParked.class)).singleElement().satisfies(parked -> {
            assertThat(parked.reason()).isEqualTo("lapsed");
            assertThat(parked.detail()).contains("10 leases", "event 10", "StepStarted \"start\"");
        });
        assertThat(ran).hasValue(0);
        perdure.resume(run.id(), "it has more memory now");
        assertThat(run.as(Integer.class).result(PATIENCE)).isEqualTo(1);
    }

    @Test
    final void anotherVisitOfAStepIsAnotherPieceOfWorkForTheWorld() {
        List<String> keys = new CopyOnWriteArrayList<>();
        Run<Json> run = started(flow().step("start", ctx -> {
            keys.add(ctx.attempt().idempotencyKey());
            if (keys.size() == 2) {
                throw new IOException("once");
            }
            return keys.size() < 3 ? Next.step("start") : Next.done();
        }));
        run.result(PATIENCE);

        String key = run.id() + "/start";
        assertThat(keys).containsExactly(key, key + "/2", key + "/2");
    }
}
