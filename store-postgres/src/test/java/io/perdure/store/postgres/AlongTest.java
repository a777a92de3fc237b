package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Committed;
import io.perdure.core.store.Committed.WokenRun;
import io.perdure.core.store.Hint;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    private List<RunId> waiting(int count) {
        List<RunId> runs = new ArrayList<>();
        try (Perdure perdure = Perdure.open(database.text())) {
            perdure.register(WAITS).start();
            for (int i = 0; i < count; i++) {
                Run<String> run = perdure.start(WAITS, "");
                awaitWaiting(run);
                runs.add(run.id());
            }
            awaitNotices(perdure);
        }
        heard.clear();
        return runs;
    }

    /**
     * Waits until this store has heard all that the engine has told so far. Notices come in order, the hints of one in any: with the second
     * one, all of the first have come. What nobody listened to yet is lost, so each is told until it is heard.
     */
    private void awaitNotices(Perdure perdure) {
        for (String name : List.of("first_mark", "second_mark")) {
            MessageQueue mark = perdure.createQueue(name);
            while (!heard.contains(new Hint.Ready(TenantId.DEFAULT, mark.name()))) {
                mark.send(Json.NULL);
            }
        }
    }

    private static void awaitWaiting(Run<?> run) {
        while (run.history().stream().noneMatch(recorded -> recorded.event() instanceof Event.WaitStarted)) {
            Thread.onSpinWait();
        }
    }

    private Committed commit(Commit... commits) {
        number++;
        Lease lease = new Lease(environment.ids().token(), Duration.ofSeconds(10));
        Served served = new Served(WAITS.name(), Set.of(WAITS.version()));
        ClaimRuns along = new ClaimRuns(TenantId.DEFAULT, List.of(served), 1, lease, Instant.EPOCH);
        return store.commit(new Batch(new LaneId(process, 0), number, List.of(commits)), along);
    }

    private static Signal signal(RunId run, String payload) {
        return new Signal(TenantId.DEFAULT, run, GO, Json.string(payload), null);
    }

    private WokenRun woken(Commit... commits) {
        WokenRun woken = commit(commits).woken();
        assertThat(woken).isNotNull();
        return Objects.requireNonNull(woken);
    }

    private boolean heardOfReady() {
        return heard.contains(new Hint.Ready(TenantId.DEFAULT, QueueName.ofRuns(WAITS.name(), WAITS.version())));
    }

    @Test
    void oneThatIsSignalledAloneIsTaken() {
        RunId run = waiting(1).getFirst();

        WokenRun woken = woken(signal(run, "yes"));

        assertThat(woken.claimed().run()).isEqualTo(run);
        assertThat(Objects.requireNonNull(woken.contents()).mailbox()).hasSize(1);
        assertThat(heardOfReady()).isFalse();
    }

    @Test
    void amongManySomebodyElseHearsOfThem() {
        List<RunId> runs = waiting(2);

        assertThat(commit(signal(runs.get(0), "yes"), signal(runs.get(1), "yes"))
                        .woken())
                .isNull();
        assertThat(heardOfReady()).isTrue();
    }

    @Test
    void whoAsksForALostAnswerIsToldAgainWhatBecameReady() {
        RunId run = waiting(1).getFirst();
        number++;
        Batch batch = new Batch(new LaneId(process, 0), number, List.of(signal(run, "yes")));

        store.commit(batch);
        heard.clear();
        store.commit(batch);

        assertThat(heardOfReady()).isTrue();
    }

    /** What does not fit into the buffers of a connection would keep locks for as long as its reader has stopped. */
    @Test
    void ofOneThatHasMuchOnlyTheLeaseIsTold() {
        List<RunId> runs = waiting(2);

        WokenRun large = woken(signal(runs.get(0), "x".repeat(20_000)));

        assertThat(large.claimed().run()).isEqualTo(runs.get(0));
        assertThat(large.contents()).isNull();
        database.run("""
                INSERT INTO perdure.signal (tenant, run, number, event, payload, at)
                SELECT tenant, id, -n, 'other', '1', 0 FROM perdure.run, generate_series(1, 200) n WHERE id = '%s'""".formatted(runs.get(1)));
        WokenRun many = woken(signal(runs.get(1), "yes"));
        assertThat(many.claimed().run()).isEqualTo(runs.get(1));
        assertThat(many.contents()).isNull();
    }

    @Test
    void ofOneThatCannotBeReadOnlyTheLeaseIsTold() {
        RunId run = waiting(1).getFirst();
        database.run("UPDATE perdure.event SET event = '{\"type\": \"Unheard\"}' WHERE run = '%s'".formatted(run));

        Committed committed = commit(signal(run, "yes"));

        assertThat(committed.outcomes()).containsExactly(new Outcome.Signalled(1, true));
        WokenRun woken = Objects.requireNonNull(committed.woken());
        assertThat(woken.claimed().run()).isEqualTo(run);
        assertThat(woken.contents()).isNull();
    }

    /** The engine reads it then, and goes on. */
    @Test
    void oneThatHasMuchGoesOn() {
        try (Perdure perdure = Perdure.open(database.text())) {
            perdure.register(WAITS).start();
            Run<String> run = perdure.start(WAITS, "");
            String much = "x".repeat(50_000);
            awaitWaiting(run);

            perdure.signal(run.id(), "go", much);

            assertThat(run.result(Duration.ofSeconds(60))).isEqualTo(much);
        }
    }
}
