package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Served;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Committed;
import io.perdure.core.store.Hint;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.store.Taken.TakenRun;
import io.perdure.core.workflow.Run;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Here the run that a signal wakes is taken in the very call that signals it, and nobody else need hear of it. */
@Timeout(60)
final class AlongTest {
    private static final Workflow<String, String> WAITS =
            Workflow.named("waits").run(String.class, String.class, (ctx, _) -> ctx.waitForEvent("go", String.class));

    private static final EventName GO = new EventName("go");

    private final FreshDatabase database = new FreshDatabase();
    private final Environment environment = new SystemEnvironment();
    private final Store store = Stores.open(database.text(), environment, Limits.defaults());
    private final ProcessId process = environment.ids().processId();
    private final Queue<Hint> heard = new ConcurrentLinkedQueue<>();
    private long number;

    @BeforeEach
    void openLane() {
        store.openLanes(process, 1);
        store.watch(heard::add);
    }

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    /** Runs that wait, and that nobody works on. */
    private List<RunId> waiting(int count) throws InterruptedException {
        List<RunId> runs = new ArrayList<>();
        try (Perdure perdure = Perdure.open(database.text())) {
            perdure.register(WAITS).start();
            for (int i = 0; i < count; i++) {
                Run<String> run = perdure.start(WAITS, "");
                while (run.history().stream().noneMatch(recorded -> recorded.event() instanceof Event.WaitStarted)) {
                    Thread.onSpinWait();
                }
                runs.add(run.id());
            }
        }
        heard.clear();
        return runs;
    }

    private Committed commit(int room, Commit... commits) {
        number++;
        ClaimRuns along = new ClaimRuns(
                TenantId.DEFAULT,
                List.of(new Served(WAITS.name(), Set.of(WAITS.version()))),
                room,
                new Lease(environment.ids().token(), Duration.ofSeconds(10)),
                Instant.EPOCH);
        return store.commit(new Batch(new LaneId(process, 0), number, List.of(commits)), along);
    }

    private static Signal signal(RunId run) {
        return new Signal(TenantId.DEFAULT, run, GO, Json.string("yes"), null);
    }

    private static List<RunId> runs(Committed committed) {
        return committed.taken().runs().stream()
                .map(TakenRun::claimed)
                .map(run -> run.run())
                .toList();
    }

    private boolean heardOfReady() {
        return heard.stream().anyMatch(Hint.Ready.class::isInstance);
    }

    @Test
    void oneThatIsSignalledAlone() throws InterruptedException {
        RunId run = waiting(1).getFirst();

        assertThat(runs(commit(1, signal(run)))).containsExactly(run);
        assertThat(heardOfReady()).isFalse();
    }

    @Test
    void oneThatIsSignalledOnce() throws InterruptedException {
        RunId run = waiting(1).getFirst();
        Signal once = new Signal(TenantId.DEFAULT, run, GO, Json.NULL, new DeduplicationId("d"));

        assertThat(runs(commit(1, once))).containsExactly(run);
        assertThat(heardOfReady()).isFalse();
    }

    @Test
    void allThatAreSignalledTogether() throws InterruptedException {
        List<RunId> runs = waiting(3);

        assertThat(runs(commit(3, runs.stream().map(AlongTest::signal).toArray(Commit[]::new))))
                .containsExactlyInAnyOrderElementsOf(runs);
        assertThat(heardOfReady()).isFalse();
    }

    @Test
    void whereThereIsLessRoomSomebodyElseHearsOfIt() throws InterruptedException {
        List<RunId> runs = waiting(3);

        assertThat(runs(commit(2, runs.stream().map(AlongTest::signal).toArray(Commit[]::new))))
                .hasSize(2);
        assertThat(heardOfReady()).isTrue();
    }

    @Test
    void aHistoryThatCannotBeReadIsTheFaultOfItsOwnRun() throws InterruptedException {
        List<RunId> runs = waiting(2);
        database.run(
                "UPDATE perdure.event SET event = '{\"type\": \"Unheard\"}' WHERE run = '%s'".formatted(runs.get(0)));

        Committed committed = commit(2, signal(runs.get(0)), signal(runs.get(1)));

        assertThat(runs(committed)).containsExactly(runs.get(1));
        assertThat(committed.taken().unreadable()).containsOnlyKeys(runs.get(0));
    }
}
