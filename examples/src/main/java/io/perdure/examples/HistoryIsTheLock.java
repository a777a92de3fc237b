package io.perdure.examples;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.Ids;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Two workers believe that they hold the same run: one was paused past its lease, the other took over. Both finish the same
 * step. The store lets one of them write it down.
 */
final class HistoryIsTheLock {
    private static final WorkflowName ORDER = new WorkflowName("order");

    private final Environment environment;
    private final Ids ids;
    private final Store store;
    private final ProcessId process;
    private final List<String> told = new ArrayList<>();
    private long batch;

    private HistoryIsTheLock(Environment environment, Store store) {
        this.environment = environment;
        this.ids = environment.ids();
        this.store = store;
        this.process = ids.processId();
        store.openLanes(process, 1);
    }

    public static void main(String[] arguments) throws InterruptedException {
        tell(new SystemEnvironment()).forEach(System.out::println);
    }

    /** Runs the race and tells what happened. */
    static List<String> tell(Environment environment) throws InterruptedException {
        try (Store store = new MemoryStore(environment.clock(), Limits.defaults())) {
            HistoryIsTheLock example = new HistoryIsTheLock(environment, store);
            example.race();
            return example.told;
        }
    }

    private void race() throws InterruptedException {
        // region race
        RunId run = ids.runId();
        commit("start   ", start(run, "{\"item\": \"lamp\"}"));

        UUID first = claim(Duration.ofMillis(1)); // a worker takes the run…
        environment.sleep(Duration.ofMillis(2)); // …is paused past its lease…
        UUID second = claim(Duration.ofSeconds(10)); // …and another one takes over.

        commit("worker 2", step(run, second, 1, "charge"));
        commit("worker 1", step(run, first, 1, "charge")); // back from its pause, and fenced off
        commit("worker 2", step(run, second, 2, "ship"));
        // endregion
    }

    private void commit(String who, Commit commit) {
        batch++;
        Outcome outcome = store.commit(new Batch(new LaneId(process, 0), batch, List.of(commit)))
                .getFirst();
        told.add(who + "  " + words(outcome));
    }

    private UUID claim(Duration length) {
        Lease lease = new Lease(ids.token(), length);
        store.claim(new ClaimRuns(TenantId.DEFAULT, List.of(new Claim.Served(ORDER, Set.of(1))), 1, lease));
        return lease.token();
    }

    private static Start start(RunId run, String input) {
        return new Start(
                TenantId.DEFAULT,
                run,
                new Definition(ORDER, 1, RunKind.CODE, Json.of(input), Map.of()),
                Due.atOnce(),
                null,
                new StartOptions(null, null, Due.never(), Map.of(), 30, null));
    }

    private Advance step(RunId run, UUID token, long seq, String name) {
        Event completed = new Event.StepCompleted(
                new StepName(name), null, environment.clock().instant());
        return new Advance(TenantId.DEFAULT, run, token, seq, List.of(new Draft(completed)), List.of(), null);
    }

    private static String words(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Started _ -> "started";
            case Outcome.Appended appended ->
                "applied as event %d".formatted(appended.events().getLast().seq());
            case Outcome.LeaseLost _ -> "lease lost: nothing was written";
            case Outcome other -> other.toString();
        };
    }
}
