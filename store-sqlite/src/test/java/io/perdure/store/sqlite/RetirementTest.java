package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.core.store.rows.Watches;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ended runs go in transactions of bounded size, and each disappears at once. */
final class RetirementTest {
    private static final TenantId TENANT = Mailroom.TENANT;
    private static final WorkflowName WORKFLOW = new WorkflowName("order");
    private static final int EVENTS = 1_500;
    private static final EventName EVENT = new EventName("paid");

    /** A turn ends after the statement or run that fills it, and writes figures and the clock. */
    private static final int MOST_CHANGES = Turn.MOST_ROWS + 3 * Retirement.LIGHT + 10;

    @TempDir
    Path folder;

    private Path file;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void create() {
        file = folder.resolve("app.db");
        DatabaseFile.at(file).openWriter().close();
    }

    private Store open(WatchedCommits.Watcher watcher) throws SQLException {
        return SqliteStore.open(
                DatabaseFile.at(file), () -> now, Limits.defaults(), WatchedCommits.open(file, watcher));
    }

    private static List<Outcome> commit(Store store, List<? extends Commit> commits) {
        ProcessId process = Mailroom.IDS.processId();
        store.openLanes(process, 1);
        return store.commit(new Batch(new LaneId(process, 0), 1, List.copyOf(commits)));
    }

    private static Outcome commit(Store store, Commit commit) {
        return commit(store, List.of(commit)).getFirst();
    }

    private static Start start(RunId run, @Nullable Lease lease, @Nullable String key, @Nullable String workflowId) {
        Definition definition = new Definition(WORKFLOW, 1, RunKind.CODE, Json.NULL, Map.of());
        StartOptions options = new StartOptions(
                key == null ? null : new IdempotencyKey(key),
                workflowId == null ? null : new WorkflowId(workflowId),
                Due.never(),
                Map.of("city", "Bern"),
                1,
                null);
        return new Start(TENANT, run, definition, Due.atOnce(), lease, options);
    }

    /** Begins a run and ends it after the given number of events. */
    private static void ended(Store store, RunId run, int events) {
        Lease lease = new Lease(Mailroom.IDS.token(), Duration.ofHours(1));
        assertThat(commit(store, start(run, lease, null, null))).isInstanceOf(Outcome.Started.class);
        end(store, run, lease, events);
    }

    private static void end(Store store, RunId run, Lease lease, int events) {
        List<Draft> drafts = new ArrayList<>(IntStream.range(1, events)
                .mapToObj(number ->
                        new Draft(new Event.StepCompleted(new StepName("step-" + number), Json.NULL, Instant.EPOCH)))
                .toList());
        drafts.add(new Draft(new Event.RunCompleted(Json.NULL)));
        for (int from = 0; from < drafts.size(); from += 1_000) {
            List<Draft> part = drafts.subList(from, Math.min(drafts.size(), from + 1_000));
            assertThat(commit(store, new Advance(TENANT, run, lease.token(), from + 1, part, List.of(), null)))
                    .isInstanceOf(Outcome.Appended.class);
        }
    }

    private void letRetentionPass() {
        now = now.plus(Duration.ofDays(2));
    }

    private long count(String table) {
        try (Session session = DatabaseFile.at(file).openReader()) {
            return session.number("SELECT count(*) FROM " + table);
        }
    }

    private static List<RunId> ids(int count) {
        return IntStream.range(0, count).mapToObj(_ -> Mailroom.IDS.runId()).toList();
    }

    @Test
    void sweep_ofRunsWithLongHistories_removesFewRowsPerTransaction() throws SQLException {
        List<Long> changes = Collections.synchronizedList(new ArrayList<>());
        try (Store store = open(changes::add)) {
            ids(3).forEach(run -> ended(store, run, EVENTS));
            ids(40).forEach(run -> ended(store, run, 2));
            letRetentionPass();
            changes.clear();

            assertThat(store.sweep(Sweep.RETIRED_RUNS, 1_000)).isEqualTo(43);

            assertThat(changes).hasSizeGreaterThan(5).allMatch(rows -> rows <= MOST_CHANGES);
            assertThat(List.of("run", "event", "run_tag", "retired_run"))
                    .allSatisfy(table -> assertThat(count(table)).isZero());
            assertThat(store.runCounts(TENANT)).noneMatch(figure -> figure.count() > 0);
        }
    }

    @Test
    void sweep_whileACommitWaits_letsItGoBeforeTheNextTransactionButOne() throws Exception {
        RunId waiting = Mailroom.IDS.runId();
        AtomicReference<@Nullable Store> swept = new AtomicReference<>();
        AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
        AtomicInteger afterIt = new AtomicInteger();
        ProcessId process = Mailroom.IDS.processId();
        Batch batch = new Batch(new LaneId(process, 0), 1, List.of(start(waiting, null, null, null)));
        try (Store store = open(_ -> {
            Store sweeping = swept.get();
            if (sweeping != null && caller.get() == null) {
                Thread thread = Thread.ofPlatform().unstarted(() -> sweeping.commit(batch));
                caller.set(thread);
                thread.start();
                awaitWaiting(thread);
            } else if (sweeping != null && sweeping.run(TENANT, waiting).isPresent()) {
                afterIt.incrementAndGet();
            }
        })) {
            store.openLanes(process, 1);
            ids(3).forEach(run -> ended(store, run, EVENTS));
            letRetentionPass();
            swept.set(store);

            assertThat(store.sweep(Sweep.RETIRED_RUNS, 1_000)).isEqualTo(3);

            swept.set(null);
            Objects.requireNonNull(caller.get()).join();
            assertThat(afterIt).as("transactions of the sweep after the commit").hasPositiveValue();
        }
    }

    /** Waits until a thread waits for the writer, which this thread is. */
    private static void awaitWaiting(Thread thread) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void read_whileRunsAreRemoved_findsAllOfARunOrNothing() throws SQLException {
        List<RunId> runs = ids(3);
        AtomicReference<@Nullable Store> swept = new AtomicReference<>();
        List<String> torn = Collections.synchronizedList(new ArrayList<>());
        try (Store store = open(_ -> {
            Store sweeping = swept.get();
            if (sweeping != null) {
                runs.forEach(run -> {
                    int events = historyOf(sweeping, run);
                    if (events != 0 && events != EVENTS + 1) {
                        torn.add("a history of " + events + " events");
                    }
                    if (events == 0 && !sweeping.snapshots(TENANT, List.of(run)).isEmpty()) {
                        torn.add("a run without history");
                    }
                });
            }
        })) {
            runs.forEach(run -> ended(store, run, EVENTS));
            assertThat(historyOf(store, runs.getFirst())).isEqualTo(EVENTS + 1);
            letRetentionPass();
            swept.set(store);
            store.sweep(Sweep.RETIRED_RUNS, 1_000);
            swept.set(null);
        }
        assertThat(torn).isEmpty();
    }

    private static int historyOf(Store store, RunId run) {
        int events = 0;
        List<Recorded> page = store.history(TENANT, run, 0, 1_000);
        while (!page.isEmpty()) {
            events += page.size();
            page = store.history(TENANT, run, page.getLast().seq() + 1, 1_000);
        }
        return events;
    }

    /** Sweeps, and has the transaction that follows the one that takes runs out of sight fail. */
    private void breakOffSweep() throws SQLException {
        AtomicInteger commits = new AtomicInteger();
        try (Store store = open(_ -> {
            if (commits.incrementAndGet() > 1) {
                throw new SQLException("broken off");
            }
        })) {
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.sweep(Sweep.RETIRED_RUNS, 1_000));
        }
        assertThat(count("retired_run")).isPositive();
    }

    @Test
    void start_afterASweepWasBrokenOff_doesNotSeeEventsOfTheRunThatWasRemoved() throws SQLException {
        RunId removed = Mailroom.IDS.runId();
        RunId next = Mailroom.IDS.runId();
        try (Store store = open(_ -> {})) {
            ended(store, removed, EVENTS);
        }
        letRetentionPass();
        breakOffSweep();
        assertThat(count("event")).isEqualTo(EVENTS);
        try (Store store = open(_ -> {})) {
            assertThat(store.run(TENANT, removed)).isEmpty();
            ended(store, next, 3);
            assertThat(historyOf(store, next)).isEqualTo(4);
            assertThat(store.sweep(Sweep.RETIRED_RUNS, 1_000)).isZero();
            assertThat(historyOf(store, next)).isEqualTo(4);
        }
        assertThat(count("event")).isEqualTo(3);
        assertThat(count("retired_run")).isZero();
    }

    @Test
    void removeEvents_whoseNumbersBelongToAnotherRunByNow_removesNone() throws SQLException {
        RunId alive = Mailroom.IDS.runId();
        try (Store store = open(_ -> {})) {
            ended(store, alive, 5);
        }
        Session session = DatabaseFile.at(file).openWriter();
        List<Long> rows = session.list("SELECT row FROM event", row -> row.integer(1));
        try (Writer writer = new Writer(DatabaseFile.at(file), session, () -> now, Limits.defaults(), new Watches())) {
            int looked = writer.write(transaction -> new Retirement(transaction).removeEvents(rows));
            assertThat(looked).isEqualTo(5);
        }
        assertThat(count("event")).isEqualTo(5);
    }

    @Test
    void start_underTheIdOfARunThatIsBeingRemoved_hasAMailboxOfItsOwn() throws SQLException {
        RunId run = Mailroom.IDS.runId();
        try (Store store = open(_ -> {})) {
            Lease lease = new Lease(Mailroom.IDS.token(), Duration.ofHours(1));
            commit(store, start(run, lease, null, null));
            commit(
                    store,
                    IntStream.range(0, 3 * Retirement.LIGHT)
                            .mapToObj(number -> signal(run, number))
                            .toList());
            end(store, run, lease, 1);
        }
        letRetentionPass();
        breakOffSweep();
        assertThat(count("signal")).isPositive();
        try (Store store = open(_ -> {})) {
            assertThat(commit(store, start(run, null, null, null))).isInstanceOf(Outcome.Started.class);
            int last = 3 * Retirement.LIGHT - 1;
            assertThat(commit(store, signal(run, last))).isEqualTo(new Outcome.Signalled(1, true));
            store.sweep(Sweep.RETIRED_RUNS, 1_000);
            assertThat(store.snapshots(TENANT, List.of(run)).getFirst().mailbox())
                    .hasSize(1);
            assertThat(commit(store, signal(run, last))).isEqualTo(new Outcome.Signalled(1, false));
        }
        assertThat(count("retired_run")).isZero();
    }

    private static Signal signal(RunId run, int number) {
        return new Signal(TENANT, run, EVENT, Json.NULL, new DeduplicationId("d" + number));
    }

    @Test
    void start_withAKeyOfARunThatIsBeingRemoved_beginsANewRun() throws SQLException {
        RunId removed = Mailroom.IDS.runId();
        RunId next = Mailroom.IDS.runId();
        String key = "k" + (3 * Retirement.LIGHT - 1);
        try (Store store = open(_ -> {})) {
            Lease lease = new Lease(Mailroom.IDS.token(), Duration.ofHours(1));
            commit(store, start(removed, lease, null, "w"));
            for (int number = 0; number < 3 * Retirement.LIGHT; number++) {
                assertThat(commit(store, start(Mailroom.IDS.runId(), null, "k" + number, "w")))
                        .isInstanceOf(Outcome.Duplicate.class);
            }
            end(store, removed, lease, 1);
        }
        letRetentionPass();
        breakOffSweep();
        try (Store store = open(_ -> {})) {
            assertThat(store.runOf(TENANT, WORKFLOW, new IdempotencyKey(key))).isEmpty();
            assertThat(commit(store, start(next, null, key, null))).isInstanceOf(Outcome.Started.class);
            store.sweep(Sweep.RETIRED_RUNS, 1_000);
            assertThat(store.runOf(TENANT, WORKFLOW, new IdempotencyKey(key))).contains(next);
        }
        assertThat(count("claimed_key")).isEqualTo(1);
    }

    @Test
    void sweep_ofASilentLaneWithManyBatches_removesFewRowsPerTransaction() throws SQLException {
        List<Long> changes = Collections.synchronizedList(new ArrayList<>());
        try (Store store = open(changes::add)) {
            ProcessId process = Mailroom.IDS.processId();
            store.openLanes(process, 1);
            try (Session session = DatabaseFile.at(file).openWriter()) {
                session.update("""
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3500)
                        INSERT INTO lane_batch SELECT ?, 0, i, 0, 1, x'00' FROM n""", process.value());
                session.update("UPDATE lane SET newest = 3500");
            }
            letRetentionPass();
            changes.clear();

            assertThat(store.sweep(Sweep.LANE_BATCHES, 1_000)).isEqualTo(1);

            assertThat(changes).hasSizeGreaterThan(3).allMatch(rows -> rows <= MOST_CHANGES);
        }
        assertThat(count("lane_batch")).isZero();
        assertThat(count("lane")).isZero();
    }
}
