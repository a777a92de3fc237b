package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes whose batches meet the same rows in opposite order: neither waits for the other for ever. */
@Timeout(120)
final class CrosswiseTest {
    private static final int ROWS = 30;
    private static final int ROUNDS = 20;
    private static final Event DONE = new Event.StepCompleted(new StepName("a"), Json.NULL, Instant.EPOCH);

    private final FreshDatabase database = new FreshDatabase();
    private final List<Sender> senders = List.of(new Sender(database.text()), new Sender(database.text()));

    @AfterEach
    void close() {
        try (database) {
            senders.forEach(sender -> sender.mailroom.close());
        }
    }

    /** Sends the commits at the same moment: one process in this order, one in the other; answers what each was answered. */
    private List<List<Outcome>> crosswise(List<? extends Commit> commits)
            throws InterruptedException, ExecutionException {
        return atOnce(commits, commits.reversed());
    }

    private List<List<Outcome>> atOnce(List<? extends Commit> here, List<? extends Commit> there)
            throws InterruptedException, ExecutionException {
        return Sender.atOnce(senders.get(0), here, senders.get(1), there);
    }

    @Test
    void signalsToTheSameRunsAllArrive() throws Exception {
        Sender first = senders.getFirst();
        List<Start> starts = IntStream.range(0, ROWS)
                .mapToObj(number -> first.mailroom.start("key " + number, Json.NULL))
                .toList();
        first.commit(starts);
        List<RunId> runs = starts.stream().map(Start::run).toList();
        for (int round = 0; round < ROUNDS; round++) {
            List<List<Outcome>> answers = crosswise(runs.stream()
                    .map(run -> new Signal(Mailroom.TENANT, run, new EventName("news"), Json.NULL, null))
                    .toList());
            assertThat(answers)
                    .allSatisfy(
                            answer -> assertThat(answer).hasSize(ROWS).hasOnlyElementsOfType(Outcome.Signalled.class));
        }
        assertThat(first.mailroom.store.snapshots(Mailroom.TENANT, runs))
                .hasSize(ROWS)
                .allSatisfy(snapshot -> assertThat(snapshot.mailbox()).hasSize(2 * ROUNDS));
    }

    /** A worker's steps, many to a statement, and an operator who cancels the same runs at the same moment. */
    @Test
    void eachRunIsCancelledBeforeItsStepOrAfterIt() throws Exception {
        Sender worker = senders.getFirst();
        for (int round = 0; round < ROUNDS; round++) {
            Lease lease = new Lease(worker.mailroom.environment.ids().token(), Mailroom.LONG);
            List<Start> starts = IntStream.range(0, ROWS)
                    .mapToObj(_ -> worker.mailroom.handedOver(lease))
                    .toList();
            worker.commit(starts);
            List<RunId> runs = starts.stream().map(Start::run).toList();

            List<List<Outcome>> answers = atOnce(
                    runs.stream().map(run -> step(run, lease)).toList(),
                    runs.stream()
                            .map(run -> new Intervene(Mailroom.TENANT, run, new Event.RunCancelled("operator", "")))
                            .toList());

            List<RunSnapshot> snapshots = worker.mailroom.store.snapshots(Mailroom.TENANT, runs);
            assertThat(answers.get(1)).hasOnlyElementsOfType(Outcome.Appended.class);
            for (int place = 0; place < ROWS; place++) {
                boolean stepped = answers.get(0).get(place) instanceof Outcome.Appended;
                assertThat(snapshots.get(place).last()).isEqualTo(stepped ? 2 : 1);
                assertThat(snapshots.get(place).run().status()).isEqualTo(RunStatus.CANCELLED);
            }
        }
    }

    /** The same, each in a batch of its own, which the flush does in another way: a step, one that lets go, and one that ends. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRunIsCancelledBeforeItsOnlyStepOrAfterIt(int kind) throws Exception {
        Sender worker = senders.getFirst();
        for (int round = 0; round < ROUNDS; round++) {
            Lease lease = new Lease(worker.mailroom.environment.ids().token(), Mailroom.LONG);
            Start start = worker.mailroom.handedOver(lease);
            worker.commit(List.of(start));
            Advance step = switch (kind) {
                case 0 -> step(start.run(), lease);
                case 1 -> advance(start.run(), lease, DONE, Release.until(Due.in(Duration.ofMinutes(1))));
                default -> advance(start.run(), lease, new Event.RunCompleted(Json.NULL), null);
            };

            List<List<Outcome>> answers = atOnce(
                    List.of(step),
                    List.of(new Intervene(Mailroom.TENANT, start.run(), new Event.RunCancelled("operator", ""))));

            Outcome stepped = answers.get(0).getFirst();
            Outcome cancelled = answers.get(1).getFirst();
            RunSnapshot snapshot = worker.mailroom
                    .store
                    .snapshots(Mailroom.TENANT, List.of(start.run()))
                    .getFirst();
            int applied =
                    (stepped instanceof Outcome.Appended ? 1 : 0) + (cancelled instanceof Outcome.Appended ? 1 : 0);
            assertThat(snapshot.last()).isEqualTo(applied);
            assertThat(snapshot.message()).isNull();
            assertThat(snapshot.run().status())
                    .isEqualTo(cancelled instanceof Outcome.Appended ? RunStatus.CANCELLED : RunStatus.COMPLETED);
            if (kind == 2) {
                assertThat(applied).as("ends").isEqualTo(1);
            }
        }
    }

    private static Advance step(RunId run, Lease lease) {
        return advance(run, lease, DONE, null);
    }

    private static Advance advance(RunId run, Lease lease, Event event, @Nullable Release release) {
        return new Advance(Mailroom.TENANT, run, lease.token(), 1, List.of(new Draft(event)), List.of(), release);
    }

    /** Acknowledgements, retries and rejections, which the flush does in different ways. */
    @Test
    void eachMessageIsSettledOnce() throws Exception {
        Mailroom mailroom = senders.getFirst().mailroom;
        for (int round = 0; round < ROUNDS; round++) {
            mailroom.sendAll(ROWS);
            List<Delivery> deliveries = mailroom.receive(100, Mailroom.LONG);
            List<Settle> settles = IntStream.range(0, deliveries.size())
                    .mapToObj(place ->
                            new Settle(Mailroom.TENANT, deliveries.get(place).receipt(), verdict(place)))
                    .toList();

            List<List<Outcome>> answers = crosswise(settles);

            for (int place = 0; place < settles.size(); place++) {
                assertThat(List.of(
                                answers.get(0).get(place),
                                answers.get(1).reversed().get(place)))
                        .filteredOn(Outcome.Settled.class::isInstance)
                        .as("settled at %s", place)
                        .hasSize(1);
            }
        }
        var figures = mailroom.figures(Mailroom.QUEUE);
        assertThat(figures.in())
                .isEqualTo(figures.out()
                        + figures.deadLettered()
                        + figures.ready()
                        + figures.delayed()
                        + figures.leased());
    }

    /**
     * Each acknowledges the heads of some groups and fills others, so that groups are emptied and begin anew all the time: whoever has
     * waited for one of them must not find itself with the others in its hands.
     */
    @Test
    void groupsAreJoinedAndLeftByTwoAtOnce() throws Exception {
        Mailroom mailroom = senders.getFirst().mailroom;
        List<GroupKey> groups = IntStream.range(0, 200)
                .mapToObj(number -> new GroupKey("g" + number))
                .toList();
        long acknowledged = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<List<Outcome>> answers = atOnce(
                    exchange(mailroom.receive(100, Mailroom.LONG), groups, round),
                    exchange(mailroom.receive(100, Mailroom.LONG), groups.reversed(), round));
            assertThat(answers.get(0)).doesNotHaveAnyElementsOfTypes(Outcome.LeaseLost.class, Outcome.Refused.class);
            assertThat(answers.get(1)).doesNotHaveAnyElementsOfTypes(Outcome.LeaseLost.class, Outcome.Refused.class);
            acknowledged += Stream.concat(answers.get(0).stream(), answers.get(1).stream())
                    .filter(Outcome.Settled.class::isInstance)
                    .count();
        }
        var figures = mailroom.figures(Mailroom.QUEUE);
        assertThat(figures.in()).isEqualTo(acknowledged + figures.depth());
        assertThat(database.read("SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()"))
                .as("deadlocks")
                .isEqualTo("0");
        long groupsLeft = mailroom.messages(Mailroom.QUEUE).stream()
                .map(MessageRow::group)
                .distinct()
                .count();
        assertThat(mailroom.receive(100, Mailroom.LONG).size()
                        + mailroom.receive(100, Mailroom.LONG).size())
                .as("heads")
                .isEqualTo(Math.toIntExact(groupsLeft));
    }

    /** Acknowledges these in between sends to every second group. */
    private List<Commit> exchange(List<Delivery> heads, List<GroupKey> groups, int from) {
        List<Commit> commits = new ArrayList<>();
        for (int place = from % 2; place < groups.size(); place += 2) {
            commits.add(senders.getFirst().mailroom.send(Json.number(place), groups.get(place)));
            if (place / 2 < heads.size()) {
                commits.add(Mailroom.done(heads.get(place / 2)));
            }
        }
        return commits;
    }

    private static Verdict verdict(int place) {
        return switch (place % 3) {
            case 0 -> new Verdict.Done();
            case 1 -> new Verdict.Retry(Duration.ofHours(1).dividedBy(60), "later");
            default -> new Verdict.Reject("never");
        };
    }
}
