package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A step whose lease may end before its flush does locks the message of its run. A claim that takes the run meanwhile is then either before
 * the step, which has lost its lease, or after it.
 */
@Timeout(120)
final class NearlyEndedLeaseTest {
    private static final Event DONE = new Event.StepCompleted(new StepName("a"), Json.NULL, Instant.EPOCH);

    /** Shorter than a flush may take. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final FreshDatabase database = new FreshDatabase();
    private final Mailroom mailroom = Mailroom.at(database.text());
    private final Lease lease = new Lease(mailroom.environment.ids().token(), SHORT);
    private final ProcessId process = mailroom.environment.ids().processId();
    private long number;

    /** The three ways in which a flush does a step. */
    enum Way {
        ALONE,
        TOGETHER,
        WITH_A_MESSAGE
    }

    @AfterEach
    void close() {
        try (database) {
            mailroom.close();
        }
    }

    /** Tries again where locks were waited for in vain: nothing was done then, and the machine may have stood still. */
    private List<Outcome> commit(List<? extends Commit> commits) {
        number++;
        Batch batch = new Batch(new LaneId(process, 0), number, List.copyOf(commits));
        while (true) {
            try {
                return mailroom.store.commit(batch);
            } catch (StoreException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.STORE_BUSY);
            }
        }
    }

    private Advance step(Start start, Way way) {
        List<NewMessage> sends = way == Way.WITH_A_MESSAGE
                ? List.of(new NewMessage(
                        mailroom.environment.ids().messageId(),
                        Mailroom.QUEUE,
                        Json.NULL,
                        Map.of(),
                        Duration.ZERO,
                        null,
                        null))
                : List.of();
        return new Advance(Mailroom.TENANT, start.run(), lease.token(), 1, List.of(new Draft(DONE)), sends, null);
    }

    @ParameterizedTest
    @EnumSource
    void step_whoseLeaseIsNearlyOver_waitsForAClaimThatTakesItsRun(Way way) throws Exception {
        mailroom.store.openLanes(process, 1);
        List<Start> starts = IntStream.range(0, way == Way.TOGETHER ? 3 : 1)
                .mapToObj(_ -> mailroom.handedOver(lease))
                .toList();
        commit(starts);
        List<Advance> steps = starts.stream().map(start -> step(start, way)).toList();
        try (Connection claimer = database.session();
                Statement claim = claimer.createStatement();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            claimer.setAutoCommit(false);
            // As a claim does once the lease is over, in a transaction that is not committed yet.
            claim.execute("UPDATE perdure.run_message SET token = gen_random_uuid(), ready_at = ready_at + 60000000");
            Future<List<Outcome>> answer = threads.submit(() -> commit(steps));
            awaitWaitingOr(answer);
            claimer.commit();

            assertThat(answer.get()).hasSameSizeAs(steps).containsOnly(new Outcome.LeaseLost(RunStatus.RUNNING));
        }
        assertThat(mailroom.store.snapshots(
                        Mailroom.TENANT, starts.stream().map(Start::run).toList()))
                .extracting(RunSnapshot::last)
                .containsOnly(0L);
    }

    /** Returns once a statement in the database waits for a lock, or the answer is there. */
    private void awaitWaitingOr(Future<?> answer) throws SQLException {
        try (Connection looking = database.session();
                Statement look = looking.createStatement()) {
            boolean waiting = false;
            while (!waiting && !answer.isDone()) {
                try (ResultSet found = look.executeQuery("""
                        SELECT count(*) > 0 FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'""")) {
                    found.next();
                    waiting = found.getBoolean(1);
                }
            }
        }
    }
}
