package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UpkeepTest extends PerdureFixture {
    private static final String SWEEPER = "perdure-sweeper";

    /** That of the queues, and three of the runs: who is alive, what is stuck, what is over. */
    private static final int SWEEPERS = 4;

    private static final Workflow<String, String> ECHO =
            Workflow.named("echo").run(String.class, String.class, (_, input) -> input);

    private static final RunFilter ALL = RunFilter.all();

    /** Ended runs that are kept for a day, and one that goes on. */
    private void end(int runs) {
        for (int i = 0; i < runs; i++) {
            perdure.start(ECHO, "a", StartOptions.defaults().retentionDays(1));
        }
        perdure.operations().inBulk(BulkAction.CANCEL, ALL, "over");
        perdure.start(
                ECHO, "b", StartOptions.defaults().delay(Duration.ofDays(30)).retentionDays(1));
    }

    private void work() throws InterruptedException {
        perdure.register(ECHO).start();
        time.awaitIdle(SWEEPER, SWEEPERS);
    }

    @Test
    void endedRunsGoEveryFiveMinutesAThousandAtATimeAndNeverOneThatGoesOn() throws InterruptedException {
        end(2_500);
        time.pass(Duration.ofDays(1).plusSeconds(1));
        work();
        time.pass(Duration.ofSeconds(149));
        time.awaitIdle(SWEEPER, SWEEPERS);
        assertThat(perdure.count(ALL)).isEqualTo(2_501);
        time.pass(Duration.ofSeconds(301));
        time.awaitIdle(SWEEPER, SWEEPERS);
        assertThat(perdure.count(ALL)).isEqualTo(1_501);
        time.pass(Duration.ofMillis(10));
        time.awaitIdle(SWEEPER, SWEEPERS);
        assertThat(perdure.count(ALL)).isEqualTo(501);
        time.pass(Duration.ofMillis(10));
        time.awaitIdle(SWEEPER, SWEEPERS);

        assertThat(perdure.count(ALL)).isEqualTo(1);
    }

    @Test
    void anEngineThatWorksSaysSoAgainAndAgain() throws InterruptedException {
        work();
        for (int i = 0; i < 10; i++) {
            time.pass(Duration.ofSeconds(30));
            time.awaitIdle(SWEEPER, SWEEPERS);
            assertThat(perdure.operations().workers()).hasSize(1);
        }
        perdure.close();
        assertThat(bent.count("withdraw")).isEqualTo(1);
    }

    @Test
    void runsThatNothingBringsOnAreLookedForEveryMinute() throws InterruptedException {
        work();
        int looks = bent.count("inspect");
        time.pass(Duration.ofSeconds(91));
        awaitCalls("inspect", looks + 2);
        time.awaitIdle(SWEEPER, SWEEPERS);
        looks = bent.count("inspect");
        time.pass(Duration.ofSeconds(60));
        awaitCalls("inspect", looks + 2);
    }

    @Test
    void runsPastTheirDeadlineThatNobodyServesAreCancelled() throws InterruptedException {
        Workflow<String, String> unserved =
                Workflow.named("unserved").run(String.class, String.class, (_, input) -> input);
        Run<String> late = perdure.start(unserved, "a", StartOptions.defaults().deadline(Duration.ofMinutes(1)));
        work();
        time.pass(Duration.ofMinutes(3));
        time.awaitIdle(SWEEPER, SWEEPERS);

        assertThat(late.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(perdure.sweepFailure()).isEmpty();
    }

    @Test
    void settingsOutOfBoundsAreRefused() {
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> OpenOptions.defaults().retentionDaysMax(0));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> OpenOptions.defaults().retentionDaysMax(36_501));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> OpenOptions.defaults().runEventsMax(0));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> OpenOptions.defaults().runEventsMax(1_000_001));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> OpenOptions.defaults().retireEvery(Duration.ZERO));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> OpenOptions.defaults().recoverEvery(Duration.ofDays(200_000)));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> OpenOptions.defaults().recoverEvery(Duration.ofSeconds(-1)));
    }
}
