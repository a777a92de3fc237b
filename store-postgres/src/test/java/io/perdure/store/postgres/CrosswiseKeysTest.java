package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Release;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes whose batches name the same keys in different orders: they wait for each other once, and not crosswise. */
@Timeout(120)
final class CrosswiseKeysTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int KEYS = 30;
    private static final int ROUNDS = 10;

    private final FreshDatabase database = new FreshDatabase();
    private final Sender first = new Sender(database.text());
    private final Sender second = new Sender(database.text());
    private final Random random = new Random(7);

    @AfterEach
    void close() {
        try (database) {
            first.mailroom.close();
            second.mailroom.close();
        }
    }

    private Start start(@Nullable String key, @Nullable String workflowId, @Nullable Lease lease) {
        return new Start(
                Mailroom.TENANT,
                first.mailroom.environment.ids().runId(),
                new Definition(Mailroom.WORKFLOW, 1, RunKind.CODE, Json.NULL, Map.of()),
                Due.atOnce(),
                lease,
                new StartOptions(
                        key == null ? null : new IdempotencyKey(key),
                        workflowId == null ? null : new WorkflowId(workflowId),
                        Due.never(),
                        Map.of(),
                        1,
                        null));
    }

    /** Both batches have all keys, each in an order of its own. */
    private List<List<Outcome>> shuffled(IntFunction<Commit> commit) throws InterruptedException, ExecutionException {
        List<Commit> here =
                new ArrayList<>(IntStream.range(0, KEYS).mapToObj(commit).toList());
        List<Commit> there =
                new ArrayList<>(IntStream.range(0, KEYS).mapToObj(commit).toList());
        Collections.shuffle(here, random);
        Collections.shuffle(there, random);
        return Sender.atOnce(first, here, second, there);
    }

    private void hadNoDeadlocks() {
        assertThat(database.read("SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()"))
                .as("deadlocks")
                .isEqualTo("0");
    }

    private static long count(List<List<Outcome>> answers, Class<? extends Outcome> kind) {
        return answers.stream().flatMap(List::stream).filter(kind::isInstance).count();
    }

    /** In whatever order the batch names them: a batch that holds a later key never waits for an earlier one. */
    @Test
    void batch_thatWaitsForAKey_holdsNoLaterOne() throws Exception {
        List<Start> batch = List.of(start("b", null, null), start("a", null, null));
        try (ExecutorService threads = Executors.newSingleThreadExecutor();
                Connection holder = database.session();
                Connection other = database.session()) {
            holder.setAutoCommit(false);
            other.setAutoCommit(false);
            bind(holder, "a");
            Future<List<Outcome>> answer = threads.submit(() -> first.commit(batch));
            awaitWaitingOr(answer);

            bind(other, "b");

            other.rollback();
            holder.rollback();
            assertThat(answer.get()).hasOnlyElementsOfType(Outcome.Started.class);
        }
    }

    /** Who signals a run locks it first, and then keys. */
    @Test
    void batch_thatWaitsForAKey_holdsTheRunThatItLetsGoOf() throws Exception {
        Start held =
                start(null, null, new Lease(first.mailroom.environment.ids().token(), Mailroom.LONG));
        assertThat(first.commit(List.of(held))).hasOnlyElementsOfType(Outcome.Started.class);
        List<Commit> batch =
                List.of(start("b", null, null), start("a", null, null), release(held), start("c", null, null));
        try (ExecutorService threads = Executors.newSingleThreadExecutor();
                Connection holder = database.session();
                Connection other = database.session();
                Statement locking = other.createStatement()) {
            holder.setAutoCommit(false);
            bind(holder, "a");
            Future<List<Outcome>> answer = threads.submit(() -> first.commit(batch));
            awaitWaitingOr(answer);

            awaitLocked(locking, held);

            holder.rollback();
            assertThat(answer.get()).hasOnlyElementsOfTypes(Outcome.Started.class, Outcome.Appended.class);
        }
    }

    /** Its lease ends so soon that the step locks the message of its run. Behind a pooler that is so with every lease. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void batch_thatWaitsForAKey_holdsTheRunOfAStepWhoseLeaseIsNearlyOver(String pooler) throws Exception {
        Sender sender = new Sender(database.text("perdure.pooler=" + pooler));
        Lease lease = new Lease(first.mailroom.environment.ids().token(), Duration.ofSeconds(4));
        Start held = start(null, null, lease);
        assertThat(sender.commit(List.of(held))).hasOnlyElementsOfType(Outcome.Started.class);
        Advance step = new Advance(
                Mailroom.TENANT,
                held.run(),
                lease.token(),
                1,
                List.of(new Draft(new Event.StepCompleted(new StepName("a"), Json.NULL, Instant.EPOCH))),
                List.of(),
                null);
        List<Commit> batch = List.of(start("b", null, null), start("a", null, null), step);
        try (ExecutorService threads = Executors.newSingleThreadExecutor();
                Connection holder = database.session();
                Connection other = database.session();
                Statement locking = other.createStatement()) {
            holder.setAutoCommit(false);
            bind(holder, "a");
            Future<List<Outcome>> answer = threads.submit(() -> sender.commit(batch));
            awaitWaitingOr(answer);

            awaitLocked(locking, held);

            holder.rollback();
            assertThat(answer.get()).hasOnlyElementsOfTypes(Outcome.Started.class, Outcome.Appended.class);
        } finally {
            sender.mailroom.close();
        }
    }

    /** Returns once the message of the run is locked. The batch may have given up waiting for its key, and be about to try again. */
    private static void awaitLocked(Statement locking, Start held) {
        String lock =
                "SELECT 1 FROM perdure.run_message WHERE run = '" + held.run().value() + "' FOR NO KEY UPDATE NOWAIT";
        SQLException refusal = null;
        long begun = System.nanoTime();
        while (refusal == null && System.nanoTime() - begun < PATIENCE.toNanos()) {
            refusal = catchThrowableOfType(SQLException.class, () -> locking.execute(lock));
        }
        assertThat(refusal == null ? "locked" : refusal.getMessage()).contains("could not obtain lock");
    }

    private static Advance release(Start started) {
        return new Advance(
                Mailroom.TENANT,
                started.run(),
                Objects.requireNonNull(started.lease()).token(),
                1,
                List.of(),
                List.of(),
                Release.until(Due.in(Mailroom.LONG)));
    }

    /** Fails if another transaction holds the key for longer than a moment. */
    private static void bind(Connection connection, String key) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = 1000");
            statement.execute("INSERT INTO perdure.claimed_key (tenant, scope, within, value, holder, detail)"
                    + " VALUES ('%s', 'idempotency', '%s', '%s', gen_random_uuid(), '')"
                            .formatted(Mailroom.TENANT.value(), Mailroom.WORKFLOW.value(), key));
        }
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

    @Test
    void start_withIdempotencyKeysInOtherOrders_neverDeadlocks() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String name = "round " + round + " key ";
            List<List<Outcome>> answers = shuffled(number -> start(name + number, null, null));
            assertThat(count(answers, Outcome.Started.class)).isEqualTo(KEYS);
            assertThat(count(answers, Outcome.Duplicate.class)).isEqualTo(KEYS);
        }
        hadNoDeadlocks();
    }

    /** The idempotency keys of one process are in the order of the workflow ids of the other. */
    @Test
    void start_withKeysAndWorkflowIdsInOtherOrders_neverDeadlocks() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String name = "round " + round + " ";
            List<List<Outcome>> answers = shuffled(number -> switch (number % 3) {
                case 0 -> start(name + number, null, null);
                case 1 -> start(null, name + number, null);
                default -> start(name + number, name + (KEYS - number), null);
            });
            assertThat(count(answers, Outcome.Started.class) + count(answers, Outcome.Duplicate.class))
                    .isEqualTo(2 * KEYS);
        }
        hadNoDeadlocks();
    }

    @Test
    void send_withDeduplicationIdsInOtherOrders_neverDeadlocks() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String name = "round " + round + " message ";
            List<List<Outcome>> answers = shuffled(number -> send(name + number));
            long created = answers.stream()
                    .flatMap(List::stream)
                    .flatMap(outcome -> ((Outcome.Sent) outcome).messages().stream())
                    .filter(sent -> sent.created())
                    .count();
            assertThat(created).isEqualTo(KEYS);
        }
        hadNoDeadlocks();
        assertThat(first.mailroom.figures(Mailroom.QUEUE).in()).isEqualTo((long) ROUNDS * KEYS);
    }

    private Send send(String id) {
        NewMessage message = new NewMessage(
                first.mailroom.environment.ids().messageId(),
                Mailroom.QUEUE,
                Json.NULL,
                Map.of(),
                Duration.ZERO,
                null,
                new DeduplicationId(id));
        return new Send(Mailroom.TENANT, List.of(message));
    }

    /** Runs end and free their workflow ids while others start under them. */
    @Test
    void end_whileOthersStartUnderTheSameWorkflowIds_neverDeadlocks() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Lease lease = new Lease(first.mailroom.environment.ids().token(), Mailroom.LONG);
            String name = "round " + round + " id ";
            List<Start> held = IntStream.range(0, KEYS)
                    .mapToObj(number -> start(null, name + number, lease))
                    .toList();
            assertThat(first.commit(held)).hasOnlyElementsOfType(Outcome.Started.class);
            List<Commit> ends = new ArrayList<>(held.stream()
                    .<Commit>map(start -> new Advance(
                            Mailroom.TENANT,
                            start.run(),
                            lease.token(),
                            1,
                            List.of(new Draft(new Event.RunCompleted(Json.NULL))),
                            List.of(),
                            null))
                    .toList());
            List<Commit> starts = new ArrayList<>(IntStream.range(0, KEYS)
                    .<Commit>mapToObj(number -> start(null, name + number, null))
                    .toList());
            Collections.shuffle(ends, random);
            Collections.shuffle(starts, random);
            List<List<Outcome>> answers = Sender.atOnce(first, ends, second, starts);
            assertThat(answers.get(0)).hasOnlyElementsOfType(Outcome.Appended.class);
            assertThat(count(answers, Outcome.Started.class) + count(answers, Outcome.Duplicate.class))
                    .isEqualTo(KEYS);
        }
        hadNoDeadlocks();
        assertThat(database.read("SELECT count(*)::text FROM perdure.claimed_key WHERE expires_at = -1"))
                .as("keys that were only locked")
                .isEqualTo("0");
    }
}
