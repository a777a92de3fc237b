package io.perdure.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.Answer;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Progress;
import io.perdure.sdk.worker.Release;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit whose answer was lost is told what became of it. */
class WorkerDeskTest {
    private static final Claim CLAIM =
            new Claim(List.of(new Claim.Served(new WorkflowName("sample"), Set.of(1))), 1, false);

    @TempDir
    Path folder;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Perdure perdure;
    private WorkerDesk desk;

    @SuppressWarnings("NullAway.Init") // Given by JUnit, and opened before each test.
    WorkerDeskTest() {}

    @BeforeEach
    void open() {
        perdure = Perdure.open(
                "jdbc:sqlite:" + folder.resolve("app.db"),
                OpenOptions.defaults().meters(registry));
        desk = perdure.desk();
    }

    @AfterEach
    void close() {
        perdure.close();
    }

    private Assignment claimed() {
        perdure.start("sample", Json.NULL, StartOptions.defaults());
        return desk.claim(CLAIM, _ -> true).runs().getFirst();
    }

    private double leasesLost() {
        return registry.get("perdure.leases.lost").tag("of", "run").counter().count();
    }

    private static Progress sleeps(Assignment run) {
        return new Progress(
                run.held(),
                1,
                List.of(new Draft(new Event.SleepStarted(new StepName("nap")), Due.in(Duration.ofHours(1)))),
                Release.until(Due.in(Duration.ofHours(1))));
    }

    private static Draft done(String step, String output) {
        return new Draft(new Event.StepCompleted(
                new StepName(step), Json.string(output), Instant.parse("2026-11-16T12:00:00Z")));
    }

    @Test
    void whatWasAppliedIsKeptAlsoTheSecondTime() {
        Progress progress = new Progress(claimed().held(), 1, List.of(done("one", "a"), done("two", "b")), null);
        Answer first = desk.commit(progress, false).await();

        assertThat(first).isInstanceOf(Answer.Kept.class);
        assertThat(desk.commit(progress, true).await()).isEqualTo(first);
        assertThat(desk.commit(progress, false).await()).isInstanceOf(Answer.Lost.class);
    }

    @Test
    void soIsWhatLetGoOrEndedTheRun() {
        Progress sleeps = sleeps(claimed());
        Progress ends = new Progress(
                claimed().held(), 1, List.of(done("one", "a"), new Draft(new Event.RunCompleted(Json.NULL))), null);

        for (Progress progress : List.of(sleeps, ends)) {
            Answer first = desk.commit(progress, false).await();

            assertThat(first).isInstanceOf(Answer.Kept.class);
            assertThat(desk.commit(progress, true).await()).isEqualTo(first);
        }
    }

    @Test
    void whatSomebodyElseWroteIsLost() {
        Assignment run = claimed();
        desk.commit(new Progress(run.held(), 1, List.of(done("one", "a")), null), false)
                .await();
        Progress other = new Progress(run.held(), 1, List.of(done("one", "b")), null);
        Progress longer = new Progress(run.held(), 1, List.of(done("one", "a"), done("two", "b")), null);

        assertThat(desk.commit(other, true).await()).isInstanceOf(Answer.Lost.class);
        assertThat(desk.commit(longer, true).await()).isInstanceOf(Answer.Lost.class);
    }

    @Test
    void whatOnlyLetGoLeavesNothingToSee() {
        Progress yield = new Progress(claimed().held(), 1, List.of(), Release.until(Due.atOnce()));

        assertThat(desk.commit(yield, true).await()).isEqualTo(new Answer.Kept(List.of()));
        assertThat(desk.commit(yield, true).await()).isInstanceOf(Answer.Lost.class);
    }

    @Test
    void whatWasNeverAppliedIsAppliedWhenItIsSentAgain() {
        Progress progress = new Progress(claimed().held(), 1, List.of(done("one", "a")), null);

        assertThat(desk.commit(progress, true).await()).isInstanceOf(Answer.Kept.class);
    }

    @Test
    void aCommitThatLostItsLeaseToItselfHasLostNone() {
        Progress sleeps = sleeps(claimed());
        Progress yield = new Progress(claimed().held(), 1, List.of(), Release.until(Due.atOnce()));
        for (Progress progress : List.of(sleeps, yield)) {
            desk.commit(progress, false).await();
            desk.commit(progress, true).await();
        }

        assertThat(leasesLost()).isZero();
    }

    @Test
    void oneThatLostItToSomebodyElseIsCountedOnceHoweverOftenItIsSent() {
        Assignment run = claimed();
        desk.commit(new Progress(run.held(), 1, List.of(), Release.until(Due.atOnce())), false)
                .await();

        assertThat(desk.commit(sleeps(run), true).await()).isInstanceOf(Answer.Lost.class);
        assertThat(leasesLost()).isEqualTo(1);
        desk.commit(sleeps(run), true).await();
        assertThat(leasesLost()).isEqualTo(1);
    }

    @Test
    void soIsOneThatKeepsItsLeaseWhichItNeedsToGoOn() {
        Assignment run = claimed();
        desk.commit(new Progress(run.held(), 1, List.of(), Release.until(Due.atOnce())), false)
                .await();
        Progress step = new Progress(run.held(), 1, List.of(done("one", "a")), null);

        assertThat(desk.commit(step, true).await()).isInstanceOf(Answer.Lost.class);
        assertThat(leasesLost()).isEqualTo(1);
    }
}
