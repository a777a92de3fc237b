package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commits of different kinds that meet on the same rows: one comes first, and the other sees what it did. */
abstract class MeetingContract extends StoreFixture {
    private static final int ROUNDS = 20;

    MeetingContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void aSnapshotIsOfOneMoment() {
        Holder holder = startedAndHeld();
        Crowd.of(8, member -> {
            Lane lane = newLane();
            for (int round = 0; round < 50; round++) {
                if (member < 4) {
                    lane.send(signal(holder.run(), Events.VERIFY));
                } else {
                    RunSnapshot seen = snapshot(holder.run());
                    assertThat(seen.run().wakes()).isEqualTo(seen.mailbox().size() + taken(seen));
                    if (member == 4 && !seen.mailbox().isEmpty()) {
                        long first = seen.mailbox().getFirst().number();
                        lane.send(holder.appends(seen.last() + 1, Events.took(Events.VERIFY, first)));
                    }
                }
            }
            return member;
        });
        assertThat(row(holder.run()).wakes()).isEqualTo(200);
    }

    private static long taken(RunSnapshot snapshot) {
        return snapshot.history().stream()
                .filter(recorded -> recorded.event() instanceof Event.EventReceived)
                .count();
    }

    @Test
    final void batchesThatMeetTheSameRowsInOppositeOrderAreAllAnswered() {
        createQueue();
        List<RunId> runs = Stream.generate(this::started).limit(10).toList();
        for (int round = 0; round < ROUNDS; round++) {
            int number = round;
            List<List<Outcome>> answers = Crowd.of(4, member -> {
                List<Commit> commits = crossing(runs, number);
                return newLane().send((member % 2 == 0 ? commits : commits.reversed()).toArray(Commit[]::new));
            });
            List<Outcome> all = answers.stream().flatMap(List::stream).toList();
            assertThat(all).hasSize(4 * 3 * runs.size());
            assertThat(all)
                    .allMatch(outcome -> outcome instanceof Outcome.Applied || outcome instanceof Outcome.Duplicate);
            assertThat(all.stream().filter(Outcome.Started.class::isInstance)).hasSameSizeAs(runs);
        }
        assertThat(runs).allSatisfy(run -> assertThat(row(run).wakes()).isEqualTo(4 * ROUNDS));
        assertThat(messages(QUEUE)).hasSize(ROUNDS * runs.size());
    }

    /** Signals the runs in their order, each with a key and a deduplication id that the other batches bring as well. */
    private List<Commit> crossing(List<RunId> runs, int round) {
        return IntStream.range(0, runs.size())
                .boxed()
                .<Commit>flatMap(index -> Stream.of(
                        signal(runs.get(index), Events.VERIFY),
                        newRun().key("k" + round + "-" + index).start(),
                        newMail()
                                .deduplicationId("d" + round + "-" + index)
                                .group("g" + index)
                                .send(TENANT)))
                .toList();
    }

    @Test
    final void childrenThatEndTogetherAllReachTheirParent() {
        RunId parent = suspendedOn(Events.VERIFY);
        List<Holder> children = Stream.generate(() -> startedAndHeld(newRun().parent(parent)))
                .limit(16)
                .toList();
        List<Outcome> outcomes = Crowd.of(
                16,
                member -> newLane()
                        .send(children.get(member).appends(1, Events.completed("1")))
                        .getFirst());
        assertThat(outcomes).allMatch(outcome -> outcome instanceof Outcome.Appended);
        assertThat(row(parent).wakes()).isEqualTo(16);
        assertThat(snapshot(parent).mailbox())
                .extracting(MailboxEntry::number)
                .isEqualTo(LongStream.rangeClosed(1, 16).boxed().toList());
        assertThat(snapshot(parent).mailbox().stream().map(MailboxEntry::event).distinct())
                .hasSize(16);
    }

    @Test
    final void ofARedriveAndAStartOfOneWorkflowIdOneWins() {
        for (int round = 0; round < ROUNDS; round++) {
            String id = "w" + round;
            RunId failed = ended(newRun().workflowId(id), Events.failed());
            List<Outcome> outcomes = Crowd.of(
                    4,
                    member -> newLane()
                            .send(
                                    member % 2 == 0
                                            ? intervene(failed, Events.redriven())
                                            : newRun().workflowId(id).start())
                            .getFirst());
            assertThat(outcomes.stream().filter(Outcome.Applied.class::isInstance))
                    .as("winners of %s", outcomes)
                    .hasSize(1);
            assertThat(store.runs(RunQuery.all(TENANT, 1_000)).runs().stream()
                            .filter(run -> run.status() == RunStatus.RUNNING)
                            .filter(run -> Objects.toString(run.workflowId()).equals(id)))
                    .hasSize(1);
        }
    }

    @Test
    final void ofAReclaimAndALateCommitEitherMayComeFirst() {
        for (int round = 0; round < ROUNDS; round++) {
            Holder late = startedAndHeld();
            clock.move(LEASE);
            List<ClaimedRun> claimed = new ArrayList<>();
            List<Outcome> outcomes = Crowd.of(2, member -> {
                if (member == 0) {
                    return newLane().send(late.appends(1, Events.step("late"))).getFirst();
                }
                claimed.addAll(claim(1));
                return new Outcome.Changed(claimed.size());
            });
            // Who skipped what the commit was just writing finds it now.
            claimed.addAll(claim(1));
            assertThat(claimed).extracting(ClaimedRun::run).containsExactly(late.run());
            boolean wasFirst = outcomes.getFirst() instanceof Outcome.Appended;
            assertThat(wasFirst || outcomes.getFirst() instanceof Outcome.LeaseLost)
                    .as("%s is applied or too late", outcomes.getFirst())
                    .isTrue();
            assertThat(snapshot(late.run()).last()).isEqualTo(wasFirst ? 1 : 0);
            Holder next = Holder.of(TENANT, claimed.getFirst());
            leaseLost(late.appends(wasFirst ? 2 : 1, Events.step("later")));
            appended(next.appends(wasFirst ? 2 : 1, Events.completed("1")));
        }
    }

    @Test
    final void noMessageIsSentIntoAQueueThatIsGone() {
        for (int round = 0; round < ROUNDS; round++) {
            QueueName queue = new QueueName("q" + round);
            createQueue(queue, QueueSettings.defaults());
            List<Outcome> outcomes = Crowd.of(
                    4,
                    member -> newLane()
                            .send(
                                    member == 0
                                            ? new Delete(TENANT, queue)
                                            : newMail().queue(queue).group("g").send(TENANT))
                            .getFirst());
            List<Outcome> sends = outcomes.subList(1, 4);
            if (store.queue(TENANT, queue).isEmpty()) {
                assertThat(outcomes.getFirst()).isEqualTo(new Outcome.Changed(1));
                assertThat(sends).allMatch(outcome -> isRefused(Refusal.NO_SUCH_QUEUE, outcome));
            } else {
                assertThat(outcomes.getFirst()).matches(outcome -> isRefused(Refusal.QUEUE_NOT_EMPTY, outcome));
                assertThat(sends).allMatch(outcome -> outcome instanceof Outcome.Sent);
                assertThat(messages(queue)).hasSize(3);
            }
        }
    }

    private static boolean isRefused(Refusal why, Outcome outcome) {
        return outcome instanceof Outcome.Refused refused && refused.why() == why;
    }
}
