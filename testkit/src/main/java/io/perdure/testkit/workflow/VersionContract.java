package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Which code a run goes on with, and what becomes of runs whose code cannot go on. */
abstract class VersionContract extends WorkflowFixture {
    private static final Duration MOMENT = Duration.ofMillis(100);

    VersionContract(Opening opening) {
        super(opening);
    }

    private static Workflow<String, String> version(int version) {
        return Workflow.named("versioned").version(version).run(String.class, String.class, (ctx, input) -> {
            ctx.sleep("pause", Duration.ofMillis(20));
            return input + " by " + version;
        });
    }

    private void assertParks(ErrorCode code, WorkflowCode<String, String> misuse) throws InterruptedException {
        assertParks(code.code(), started(String.class, misuse));
    }

    private void assertParks(String reason, Run<String> run) throws InterruptedException {
        until(() -> run.status() == RunStatus.PARKED);
        assertThat(events(run, Event.RunParked.class))
                .singleElement()
                .extracting(Event.RunParked::reason)
                .isEqualTo(reason);
        assertFails(ErrorCode.RUN_PARKED, () -> run.result(MOMENT), "parked", reason);
        until(() -> perdure.working() == 0);
    }

    @Test
    final void aVersionIsRegisteredOnceAndBeforeTheStart() {
        assertFails(ErrorCode.REGISTRATION, () -> perdure.start());
        perdure.register(version(1)).register(version(2));

        assertFails(ErrorCode.REGISTRATION, () -> perdure.register(version(2)), "versioned@2");
        perdure.start().start();
        assertFails(ErrorCode.REGISTRATION, () -> perdure.register(version(3)), "versioned@3");
    }

    @Test
    final void aRunStartedByNameIsServedLaterByTheNewestVersion() {
        Run<Json> run = perdure.start("versioned", Json.string("a"), StartOptions.defaults());
        perdure.register(version(2)).register(version(10)).register(version(1)).start();

        assertThat(run.result(PATIENCE)).isEqualTo(Json.string("a by 10"));
        assertThat(run.info().version()).isEqualTo(10);
    }

    @Test
    final void twoVersionsAreServedSideBySide() {
        Workflow<String, String> one = version(1);
        Workflow<String, String> two = version(2);
        perdure.register(one).register(two).start();
        Run<String> older = perdure.start(one, "a");
        Run<String> newer = perdure.start(two, "b");

        assertThat(older.result(PATIENCE)).isEqualTo("a by 1");
        assertThat(newer.result(PATIENCE)).isEqualTo("b by 2");
    }

    @Test
    final void aRunStaysWithTheVersionItWasStartedWith() {
        Run<String> older = perdure.start(version(1), "a");
        perdure.register(version(2)).start();

        assertThat(perdure.start(version(2), "b").result(PATIENCE)).isEqualTo("b by 2");
        assertThat(older.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(older.history()).hasSize(1);
    }

    @Test
    final void aRunThatDoesNotFitChangedCodeIsParkedAndItsWaitSaysSo() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> {
            ctx.step("charge", () -> {});
            return ctx.waitForEvent("paid", String.class);
        });
        RunId id = run.id();
        untilItWaits(run);
        reopen(OpenOptions.defaults());
        CountDownLatch ran = new CountDownLatch(1);
        Workflow<String, String> changed = serve(String.class, (ctx, _) -> {
            ctx.step("reserve", ran::countDown);
            return "new";
        });
        perdure.signal(id, "paid", "now");

        Run<String> again = perdure.run(changed, id);
        assertParks("PD-104", again);
        assertFails(
                ErrorCode.RUN_PARKED,
                () -> again.result(MOMENT),
                "event 1",
                "recorded step \"charge\"",
                "asked for step \"reserve\"");
        assertThat(ran.getCount()).isEqualTo(1);
    }

    @Test
    final void aNameUsedTwiceParks() throws InterruptedException {
        assertParks(ErrorCode.NAME_REUSED, (ctx, _) -> {
            ctx.step("a", () -> {});
            ctx.step("a", () -> {});
            return "hidden";
        });
    }

    @Test
    final void aCaughtSuspensionParks() throws InterruptedException {
        assertParks(ErrorCode.SUSPENSION_CAUGHT, (ctx, _) -> {
            try {
                ctx.sleep("long", Duration.ofHours(1));
            } catch (Throwable e) {
                return "caught " + e.getMessage();
            }
            return "slept";
        });
    }

    @Test
    final void aContextUsedByAnotherThreadParks() throws InterruptedException {
        assertParks(ErrorCode.WRONG_THREAD, (ctx, _) -> {
            ctx.step("a", () -> {
                Thread other = Thread.ofVirtual()
                        .unstarted(() -> assertFails(ErrorCode.WRONG_THREAD, () -> ctx.step("b", () -> {})));
                other.start();
                other.join();
            });
            return "hidden";
        });
    }

    @Test
    final void aContextUsedInsideAStepParks() throws InterruptedException {
        assertParks(ErrorCode.INSIDE_STEP, (ctx, _) -> {
            ctx.step("outer", () -> ctx.step("inner", () -> {}));
            return "hidden";
        });
    }

    @Test
    final void anAttemptAskedForOutsideAStepParks() throws InterruptedException {
        assertParks(ErrorCode.NOT_IN_STEP, (ctx, _) -> ctx.attempt().idempotencyKey());
    }

    @Test
    final void aNameThatIsNotValidParks() throws InterruptedException {
        assertParks(ErrorCode.INVALID_NAME, (ctx, _) -> ctx.step("not a name", String.class, () -> "a"));
    }

    @Test
    final void aResultThatIsTooLargeParks() throws InterruptedException {
        assertParks(ErrorCode.VALUE_TOO_LARGE, (ctx, _) -> ctx.step("a", String.class, () -> "x".repeat(1024 * 1024)));
    }

    @Test
    final void aResultWithoutAJsonFormParks() throws InterruptedException {
        assertParks(ErrorCode.NO_JSON_FORM, (ctx, _) -> {
            ctx.step("a", Object.class, VersionContract::cyclic);
            return "hidden";
        });
    }

    /** A list within itself. */
    private static Object cyclic() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        return list;
    }

    @Test
    final void anErrorOutsideAStepParks() throws InterruptedException {
        assertParks("java.lang.StackOverflowError", started(String.class, (_, _) -> {
            throw new StackOverflowError();
        }));
    }
}
