package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Fit;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Runs that go on with another version of their workflow, after a look at whether it fits. */
abstract class MoveContract extends WorkflowFixture {
    private final AtomicInteger charged = new AtomicInteger();

    MoveContract(Opening opening) {
        super(opening);
    }

    private static Workflow<String, String> version(int version, WorkflowCode<String, String> code) {
        return Workflow.named("sample").version(version).run(String.class, String.class, code);
    }

    private Workflow<String, String> charging(int version) {
        return version(version, (ctx, _) -> {
            ctx.step("charge", () -> {
                charged.incrementAndGet();
            });
            return ctx.waitForEvent("paid", String.class) + " by " + version;
        });
    }

    private Workflow<String, String> reserving(int version) {
        return version(version, (ctx, _) -> {
            ctx.step("reserve", () -> {
                charged.incrementAndGet();
            });
            return "by " + version;
        });
    }

    private RunId waiting() throws InterruptedException {
        Workflow<String, String> one = charging(1);
        perdure.register(one).start();
        Run<String> run = perdure.start(one, "");
        untilItWaits(run);
        return run.id();
    }

    @Test
    final void aRunMovesToAVersionThatFits() throws InterruptedException {
        RunId id = waiting();
        reopen(OpenOptions.defaults());
        perdure.register(charging(2)).start();
        Run<Json> run = perdure.run(id);
        long events = run.history().size();

        Fit fit = perdure.operations().check(id, 2);
        assertThat(fit.fits()).isTrue();
        assertThat(fit.detail()).contains("waits for", "paid");
        assertThat(run.history()).hasSize(Math.toIntExact(events));
        assertThat(charged).hasValue(1);
        perdure.operations().move(id, 2, "the old one is gone");
        perdure.signal(id, "paid", "cash");

        assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("cash by 2");
        assertThat(run.info().version()).isEqualTo(2);
        assertThat(events(run, Event.RunResumed.class))
                .containsExactly(new Event.RunResumed("user", "the old one is gone", 2));
        assertThat(charged).hasValue(1);
    }

    @Test
    final void aRunThatDoesNotFitStaysWhereItIs() throws InterruptedException {
        RunId id = waiting();
        reopen(OpenOptions.defaults());
        perdure.register(reserving(2)).start();
        Run<Json> run = perdure.run(id);
        var before = run.history();

        Fit fit = perdure.operations().check(id, 2);
        assertThat(fit.fits()).isFalse();
        assertThat(fit.detail()).contains("event 1", "recorded step \"charge\"", "asked for step \"reserve\"");
        assertFails(
                ErrorCode.DOES_NOT_FIT,
                () -> perdure.operations().move(id, 2, "why not"),
                "sample@2",
                "recorded step \"charge\"");
        assertThat(run.history()).isEqualTo(before);
        assertThat(run.info().version()).isEqualTo(1);
        assertThat(charged).hasValue(1);
    }

    @Test
    final void aRunDoesNotMoveToCodeThatWouldFailIt() throws InterruptedException {
        RunId id = waiting();
        reopen(OpenOptions.defaults());
        perdure.register(version(2, (_, _) -> {
                    throw new IllegalStateException("not configured");
                }))
                .start();

        assertThat(perdure.operations().check(id, 2).detail()).contains("fails with java.lang.IllegalStateException");
        assertFails(ErrorCode.DOES_NOT_FIT, () -> perdure.operations().move(id, 2, "why not"));
        assertThat(perdure.run(id).status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    final void aParkedRunMovesToo() throws InterruptedException {
        StepFlow one = StepFlow.named("flow").step("start", _ -> Next.step("finish"));
        perdure.register(one).start();
        Run<Json> run = perdure.start(one, null);
        untilItIsParked(run, ErrorCode.MISSING_STEP);
        reopen(OpenOptions.defaults());
        StepFlow two = one.version(2).step("finish", _ -> Next.done("by 2"));
        perdure.register(one).register(two).start();

        assertThat(perdure.operations().check(run.id(), 1).fits()).isFalse();
        assertThat(perdure.operations().check(run.id(), 2).detail()).contains("runs step \"finish\"");
        perdure.operations().move(run.id(), 2, "it has the step");
        assertThat(perdure.run(run.id()).as(String.class).result(PATIENCE)).isEqualTo("by 2");
    }

    @Test
    final void aVersionThatIsNotHereCannotBeLookedAt() throws InterruptedException {
        RunId id = waiting();

        assertFails(ErrorCode.VERSION_MISMATCH, () -> perdure.operations().check(id, 7), "sample@7", "sample@1");
        assertFails(ErrorCode.VERSION_MISMATCH, () -> perdure.operations().move(id, 7, "why not"));
        assertThat(perdure.run(id).status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    final void aRunThatIsOverDoesNotMove() throws InterruptedException {
        RunId id = waiting();
        perdure.cancel(id, "not wanted");

        assertFails(ErrorCode.RUN_ENDED, () -> perdure.operations().move(id, 1, "why not"), "cancelled");
        RunId none = RunId.parse("0199d2a4-0000-7000-8000-000000000001");
        assertFails(ErrorCode.NO_SUCH_RUN, () -> perdure.operations().check(none, 1));
    }

    @Test
    final void aMoveThatComesSecondChangesNothing() throws InterruptedException {
        RunId id = waiting();
        reopen(OpenOptions.defaults());
        // The code that is looked at is where the other one comes in between.
        perdure.register(version(2, (ctx, _) -> {
            ctx.step("charge", () -> {
                charged.incrementAndGet();
            });
            perdure.cancel(id, "somebody was first");
            return ctx.waitForEvent("paid", String.class);
        }));

        assertFails(ErrorCode.UNIQUE_CONFLICT, () -> perdure.operations().move(id, 2, "why not"), id.toString());
        assertThat(perdure.run(id).info().version()).isEqualTo(1);
    }

    @Test
    final void aRunThatIsWorkedOnIsNotMoved() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Workflow<String, String> one = version(1, (ctx, _) -> {
            ctx.step("charge", () -> {
                inside.countDown();
                await(leave);
            });
            return "by 1";
        });
        perdure.register(one).register(charging(2)).start();
        Run<String> run = perdure.start(one, "");
        await(inside);

        assertFails(ErrorCode.NOT_ALLOWED, () -> perdure.operations().move(run.id(), 2, "why not"), "is worked on now");
        leave.countDown();
        assertThat(run.result(PATIENCE)).isEqualTo("by 1");
    }
}
