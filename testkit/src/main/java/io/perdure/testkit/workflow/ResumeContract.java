package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Runs that are parked, and put back to work. */
abstract class ResumeContract extends WorkflowFixture {
    private static final int LAPSES = Limits.defaults().runs().lapsesBeforeParking();

    private final AtomicInteger charged = new AtomicInteger();

    ResumeContract(Opening opening) {
        super(opening);
    }

    /** Makes a mistake after its first step. */
    private Workflow<String, String> mistaken() {
        return workflow(String.class, (ctx, _) -> {
            ctx.step("charge", () -> {
                charged.incrementAndGet();
            });
            return ctx.attempt().idempotencyKey();
        });
    }

    private RunId parked() throws InterruptedException {
        Workflow<String, String> mistaken = mistaken();
        perdure.register(mistaken).start();
        Run<String> run = perdure.start(mistaken, "");
        untilItIsParked(run, ErrorCode.NOT_IN_STEP);
        return run.id();
    }

    @Test
    final void aParkedRunGoesOnWithMendedCodeFromWhereItStood() throws InterruptedException {
        RunId id = parked();
        reopen(OpenOptions.defaults());
        Workflow<String, String> mended = serve(String.class, (ctx, _) -> {
            ctx.step("charge", () -> {
                charged.incrementAndGet();
            });
            return ctx.step("send", String.class, () -> "sent");
        });
        Run<String> run = perdure.run(mended, id);
        assertThat(run.status()).isEqualTo(RunStatus.PARKED);
        perdure.resume(id, "mended");

        assertThat(run.result(PATIENCE)).isEqualTo("sent");
        assertThat(charged).hasValue(1);
        assertThat(events(run, Event.RunResumed.class)).containsExactly(new Event.RunResumed("user", "mended", null));
    }

    @Test
    final void aRunWhoseHistoryIsFullIsParkedAndGoesOnWhereMoreIsAllowed() throws InterruptedException {
        WorkflowCode<String, Integer> code = (ctx, _) -> {
            for (int turn = 1; turn <= 5; turn++) {
                ctx.step("turn-" + turn, charged::incrementAndGet);
            }
            return charged.get();
        };
        reopen(OpenOptions.defaults().runEventsMax(3));
        Run<Integer> run = perdure.start(serve(Integer.class, code), "");
        untilItIsParked(run, ErrorCode.HISTORY_FULL);
        // The step that found no room was done, and is recorded together with the parking, which may go past the limit.
        assertThat(events(run, Event.StepCompleted.class)).hasSize(4);
        reopen(OpenOptions.defaults());
        Workflow<String, Integer> allowed = serve(Integer.class, code);
        perdure.resume(run.id(), "more is allowed");

        assertThat(perdure.run(allowed, run.id()).result(PATIENCE)).isEqualTo(5);
    }

    @Test
    final void aRunThatIsResumedUnmendedIsParkedAgain() throws InterruptedException {
        RunId id = parked();
        perdure.resume(id, "hoping");

        until(() -> events(perdure.run(id), Event.RunParked.class).size() == 2);
        assertThat(perdure.run(id).status()).isEqualTo(RunStatus.PARKED);
        assertThat(charged).hasValue(1);
    }

    @Test
    final void aParkedRunGoesOnWithAnotherVersion() throws InterruptedException {
        RunId id = parked();
        reopen(OpenOptions.defaults());
        Workflow<String, String> second = Workflow.named("sample")
                .version(2)
                .run(String.class, String.class, (ctx, _) -> {
                    ctx.step("charge", () -> {
                        charged.incrementAndGet();
                    });
                    return "by the second version";
                });
        perdure.register(mistaken()).register(second).start();
        perdure.resume(id, "mended", 2);

        assertThat(perdure.run(second, id).result(PATIENCE)).isEqualTo("by the second version");
        assertThat(perdure.run(id).info().version()).isEqualTo(2);
        assertThat(charged).hasValue(1);
    }

    @Test
    final void aRunThatIsNotParkedIsNotResumed() throws InterruptedException {
        Workflow<String, String> waiter = serve(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        Run<String> run = perdure.start(waiter, "");
        untilItWaits(run);
        assertFails(
                ErrorCode.NOT_ALLOWED,
                () -> perdure.resume(run.id(), "why not"),
                run.id().toString());
        perdure.signal(run.id(), "paid", "done");
        assertThat(run.result(PATIENCE)).isEqualTo("done");
        assertFails(ErrorCode.RUN_ENDED, () -> perdure.resume(run.id(), "why not"));
        Run<String> cancelled = perdure.start(waiter, "");
        perdure.cancel(cancelled.id(), "not wanted");
        assertFails(ErrorCode.RUN_ENDED, () -> perdure.resume(cancelled.id(), "why not"));
        RunId none = RunId.parse("0199d2a4-0000-7000-8000-000000000001");
        assertFails(ErrorCode.NO_SUCH_RUN, () -> perdure.resume(none, "why not"));

        assertThat(events(run, Event.RunResumed.class)).isEmpty();
    }

    @Test
    final void aSignalToAParkedRunIsKeptAndTakenOnceItGoesOn() throws InterruptedException {
        RunId id = parked();
        perdure.signal(id, "paid", "while it was parked");
        assertThat(perdure.run(id).status()).isEqualTo(RunStatus.PARKED);
        reopen(OpenOptions.defaults());
        Workflow<String, String> mended = serve(String.class, (ctx, _) -> {
            ctx.step("charge", () -> {
                charged.incrementAndGet();
            });
            return ctx.waitForEvent("paid", String.class);
        });
        perdure.resume(id, "mended");

        assertThat(perdure.run(mended, id).result(PATIENCE)).isEqualTo("while it was parked");
    }

    @Test
    final void aRunThatCouldNotReadItsEventGoesOnWithATypeThatFits() throws InterruptedException {
        Run<String> run =
                started(String.class, (ctx, _) -> String.valueOf((Object) ctx.waitForEvent("paid", Integer.class)));
        perdure.signal(run.id(), "paid", "not a number");
        untilItIsParked(run, ErrorCode.UNFIT_VALUE);
        reopen(OpenOptions.defaults());
        Workflow<String, String> mended = serve(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        perdure.resume(run.id(), "mended");

        Run<String> again = perdure.run(mended, run.id());
        assertThat(again.result(PATIENCE)).isEqualTo("not a number");
        assertThat(events(again, Event.EventReceived.class)).hasSize(1);
    }

    @Test
    final void aRunWhoseLeasesRunOutAgainAndAgainIsParkedAndCountedAnewOnceItIsResumed() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        Workflow<String, String> echo = workflow(String.class, (_, input) -> {
            ran.incrementAndGet();
            return input;
        });
        Run<String> run = perdure.start(echo, "a");
        lapse(run.id(), LAPSES);
        perdure.register(echo).start();
        until(() -> run.status() == RunStatus.PARKED);

        assertThat(ran).hasValue(0);
        assertThat(events(run, Event.RunParked.class)).singleElement().satisfies(parked -> {
            assertThat(parked.reason()).isEqualTo("lapsed");
            assertThat(parked.detail()).contains("leases in a row ran out without progress");
        });
        reopen(OpenOptions.defaults());
        perdure.resume(run.id(), "the machine is mended");
        lapse(run.id(), LAPSES - 1);
        perdure.register(echo).start();
        assertThat(perdure.run(echo, run.id()).result(PATIENCE)).isEqualTo("a");
    }

    /** Has workers claim it, so many times, and never be heard of again. */
    private void lapse(RunId run, int times) throws InterruptedException {
        SystemEnvironment environment = new SystemEnvironment();
        List<Claim.Served> served = List.of(new Claim.Served(new WorkflowName("sample"), Set.of(1)));
        try (Store store = Stores.open(url(), environment, Limits.defaults())) {
            for (int time = 0; time < times; time++) {
                Lease moment = new Lease(UUID.randomUUID(), Duration.ofMillis(1));
                until(() -> store.claim(new ClaimRuns(TenantId.DEFAULT, served, 1, moment)).runs().stream()
                        .map(ClaimedRun::run)
                        .anyMatch(run::equals));
            }
        }
    }

    @Test
    final void aRunThatIsResumedIsStartedByNobodyElse() throws InterruptedException {
        Workflow<String, String> mistaken = mistaken();
        perdure.register(mistaken).start();
        StartOptions one = StartOptions.defaults().workflowId("user-42");
        Run<String> run = perdure.start(mistaken, "", one);
        untilItIsParked(run, ErrorCode.NOT_IN_STEP);

        assertThat(perdure.start(mistaken, "", one).id()).isEqualTo(run.id());
    }
}
