package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.AlreadyActiveException;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Runs that failed, and are put back to work where they failed. */
abstract class RedriveContract extends WorkflowFixture {
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final AtomicInteger reserved = new AtomicInteger();
    private final AtomicInteger charged = new AtomicInteger();

    RedriveContract(Opening opening) {
        super(opening);
    }

    /** Reserves, and charges as long as nothing is broken. */
    private StepFlow flow() {
        return StepFlow.named("order")
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .step("start", ctx -> {
                    reserved.incrementAndGet();
                    ctx.put("reserved", true);
                    return Next.step("charge");
                })
                .step("charge", ctx -> {
                    charge();
                    return Next.done(ctx.get("reserved", Boolean.class));
                });
    }

    private Workflow<String, String> code() {
        return Workflow.named("order").run(String.class, String.class, (ctx, input) -> {
            ctx.step("reserve", () -> {
                reserved.incrementAndGet();
            });
            ctx.step("charge", this::charge, Retry.fixed(2, Duration.ofMillis(1)));
            return input;
        });
    }

    private void charge() throws IOException {
        charged.incrementAndGet();
        if (broken.get()) {
            throw new IOException("the bank is closed");
        }
    }

    private void assertFailed(Run<?> run) {
        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "the bank is closed");
    }

    @Test
    final void aFlowGoesOnFromItsLastGoodStepWithItsAttemptsCountedAnew() {
        StepFlow flow = flow();
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null);
        assertFailed(run);
        List<Recorded> before = run.history();
        perdure.redrive(run.id(), "hoping");
        assertFailed(run);
        assertThat(charged).hasValue(4);
        broken.set(false);
        perdure.redrive(run.id(), "the bank is open");

        assertThat(run.as(Boolean.class).result(PATIENCE)).isTrue();
        assertThat(reserved).hasValue(1);
        assertThat(run.history().subList(0, before.size())).isEqualTo(before);
        assertThat(events(run, Event.RunRedriven.class))
                .containsExactly(
                        new Event.RunRedriven("user", "hoping"), new Event.RunRedriven("user", "the bank is open"));
        assertThat(events(run, Event.StepStarted.class))
                .extracting(Event.StepStarted::attempt)
                .containsExactly(1, 1, 2, 1, 2, 1);
    }

    @Test
    final void aWorkflowWrittenAsCodeGoesOnFromItsLastGoodStep() {
        Workflow<String, String> code = code();
        perdure.register(code).start();
        Run<String> run = perdure.start(code, "a");
        assertFailed(run);
        broken.set(false);
        perdure.redrive(run.id(), "the bank is open");

        assertThat(run.result(PATIENCE)).isEqualTo("a");
        assertThat(reserved).hasValue(1);
        assertThat(charged).hasValue(3);
        assertThat(run.info().error()).isNull();
    }

    @Test
    final void onlyAFailedRunIsRedriven() {
        broken.set(false);
        StepFlow flow = flow();
        Run<Json> waiting = perdure.start(flow, null);
        assertFails(ErrorCode.NOT_ALLOWED, () -> perdure.redrive(waiting.id(), "why not"), "running");
        perdure.register(flow).start();
        waiting.result(PATIENCE);
        assertFails(ErrorCode.NOT_ALLOWED, () -> perdure.redrive(waiting.id(), "why not"), "completed");
        RunId none = RunId.parse("0199d2a4-0000-7000-8000-000000000001");
        assertFails(ErrorCode.NO_SUCH_RUN, () -> perdure.redrive(none, "why not"));
    }

    @Test
    final void aRunIsNotRedrivenWhileAnotherOneHasItsWorkflowId() {
        StepFlow flow = flow();
        perdure.register(flow).start();
        StartOptions one = StartOptions.defaults().workflowId("user-42");
        Run<Json> failed = perdure.start(flow, null, one);
        assertFailed(failed);
        Run<Json> active = perdure.start(flow, null, one.delay(Duration.ofHours(1)));

        assertThatExceptionOfType(AlreadyActiveException.class)
                .isThrownBy(() -> perdure.redrive(failed.id(), "why not"))
                .satisfies(refused -> {
                    assertThat(refused.code()).isEqualTo(ErrorCode.WORKFLOW_ID_HELD);
                    assertThat(refused.activeRun()).isEqualTo(active.id());
                });
        assertThat(failed.status()).isEqualTo(RunStatus.FAILED);
        perdure.cancel(active.id(), "not wanted");
        broken.set(false);
        perdure.redrive(failed.id(), "it is free");
        assertThat(failed.as(Boolean.class).result(PATIENCE)).isTrue();
    }

    @Test
    final void whoFollowsARunThatWasRedrivenIsToldAllOfIt() {
        StepFlow flow = flow();
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null);
        assertFailed(run);
        broken.set(false);
        perdure.redrive(run.id(), "the bank is open");
        run.result(PATIENCE);

        List<Recorded> told = new ArrayList<>();
        try (Following following = run.follow()) {
            while (!following.isOver()) {
                told.addAll(following.next(PATIENCE));
            }
        }
        assertThat(told).isEqualTo(run.history());
    }

    @Test
    final void allThatFailedAreRedrivenAtOnceWithACountFirst() {
        StepFlow flow = flow();
        perdure.register(flow).start();
        List<Run<Json>> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            runs.add(perdure.start(flow, null, StartOptions.defaults().tag("shop", i < 3 ? "ulm" : "bonn")));
        }
        runs.forEach(this::assertFailed);
        broken.set(false);
        RunFilter ulm = RunFilter.all().workflow("order").tag("shop", "ulm");
        List<BulkProgress> told = new ArrayList<>();

        assertThat(perdure.operations().count(BulkAction.REDRIVE, ulm)).isEqualTo(3);
        BulkProgress done = perdure.operations().inBulk(BulkAction.REDRIVE, ulm, "the bank is open", told::add);
        assertThat(done).isEqualTo(new BulkProgress(3, 3, 0));
        assertThat(told).startsWith(new BulkProgress(3, 0, 0)).endsWith(done);
        runs.subList(0, 3)
                .forEach(run ->
                        assertThat(run.as(Boolean.class).result(PATIENCE)).isTrue());
        assertThat(perdure.count(RunFilter.all().status(RunStatus.FAILED))).isEqualTo(2);
        assertFails(
                ErrorCode.OUT_OF_BOUNDS,
                () -> perdure.operations().count(BulkAction.REDRIVE, ulm.status(RunStatus.PARKED)),
                "parked",
                "redriven",
                "failed");
    }

    @Test
    final void allThatAreParkedAreResumedAtOnceOnceTheyAreMended() throws InterruptedException {
        StepFlow half = StepFlow.named("order").step("start", _ -> Next.step("charge"));
        perdure.register(half).start();
        List<Run<Json>> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(perdure.start(half, null));
        }
        for (Run<Json> run : runs) {
            untilItIsParked(run, ErrorCode.MISSING_STEP);
        }
        reopen(OpenOptions.defaults());
        perdure.register(half.step("charge", _ -> Next.done("mended"))).start();
        RunFilter parked = RunFilter.all().status(RunStatus.PARKED);

        assertThat(perdure.operations().count(BulkAction.RESUME, parked)).isEqualTo(3);
        assertThat(perdure.operations().inBulk(BulkAction.RESUME, parked, "mended"))
                .isEqualTo(new BulkProgress(3, 3, 0));
        for (Run<Json> run : runs) {
            assertThat(perdure.run(run.id()).as(String.class).result(PATIENCE)).isEqualTo("mended");
        }
    }

    @Test
    final void aRunWhoseDeadlineHasPassedIsNotRedriven() throws InterruptedException {
        StepFlow flow = flow();
        perdure.register(flow).start();
        Run<Json> run =
                dueSoon(options -> perdure.start(flow, null, options), failed -> failed.status() == RunStatus.FAILED);
        assertFailed(run);
        until(() -> Instant.now()
                .isAfter(Objects.requireNonNull(run.info().deadline()).plusMillis(50)));

        assertFails(ErrorCode.NOT_ALLOWED, () -> perdure.redrive(run.id(), "too late"), "had to end by");
        assertThat(perdure.operations().inBulk(BulkAction.REDRIVE, RunFilter.all(), "too late"))
                .isEqualTo(new BulkProgress(1, 0, 1));
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    }
}
