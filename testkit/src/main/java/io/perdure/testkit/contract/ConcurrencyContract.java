package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.queue.Fate;
import io.perdure.testkit.StoreFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many threads against one store: every race has one winner, and nothing is lost. */
abstract class ConcurrencyContract extends StoreFixture {
    private static final int CROWD = 16;

    ConcurrencyContract(StoreFactory factory) {
        super(factory);
    }

    /** Everybody sends one commit by a lane of their own, all at once. */
    private List<Outcome> race(IntFunction<Commit> commit) {
        return Crowd.of(CROWD, member -> newLane().send(commit.apply(member)).getFirst());
    }

    private static <T> List<T> of(Class<T> kind, List<Outcome> outcomes) {
        return outcomes.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Test
    final void noRunIsLeasedTwice() {
        for (int run = 0; run < 100; run++) {
            started();
        }
        List<List<ClaimedRun>> claims = Crowd.of(CROWD, _ -> {
            List<ClaimedRun> mine = new ArrayList<>();
            for (List<ClaimedRun> some = claim(3); !some.isEmpty(); some = claim(3)) {
                mine.addAll(some);
            }
            return mine;
        });
        List<RunId> all =
                claims.stream().flatMap(List::stream).map(ClaimedRun::run).toList();
        assertThat(all).doesNotHaveDuplicates();
        // Whoever skipped what another was just leasing may have stopped early; a quiet claim finds the rest.
        assertThat(all.size() + due().size()).isEqualTo(100);
    }

    @Test
    final void noMessageIsLeasedTwice() {
        createQueue();
        for (int message = 0; message < 100; message++) {
            sent();
        }
        List<List<MessageId>> receivers = Crowd.of(CROWD, _ -> {
            List<MessageId> mine = new ArrayList<>();
            for (List<MessageId> some = received(3); !some.isEmpty(); some = received(3)) {
                mine.addAll(some);
            }
            return mine;
        });
        List<MessageId> all = receivers.stream().flatMap(List::stream).toList();
        assertThat(all).doesNotHaveDuplicates();
        assertThat(all.size() + received(100).size()).isEqualTo(100);
    }

    @Test
    final void startsWithOneKeyMakeOneRun() {
        List<Outcome> outcomes = race(_ -> newRun().key("k").start());
        assertThat(of(Outcome.Started.class, outcomes)).hasSize(1);
        RunId winner = due().getFirst();
        assertThat(of(Outcome.Duplicate.class, outcomes))
                .hasSize(CROWD - 1)
                .containsOnly(new Outcome.Duplicate(winner, RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY));
    }

    @Test
    final void startsWithOneWorkflowIdMakeOneRun() {
        List<Outcome> outcomes =
                race(member -> newRun().workflowId("w").key("k" + member).start());
        assertThat(of(Outcome.Started.class, outcomes)).hasSize(1);
        assertThat(of(Outcome.Duplicate.class, outcomes))
                .hasSize(CROWD - 1)
                .containsOnly(new Outcome.Duplicate(due().getFirst(), RunStatus.RUNNING, Outcome.Key.WORKFLOW_ID));
    }

    @Test
    final void ofManyAppendsAtOneNumberOneIsApplied() {
        Holder holder = startedAndHeld();
        List<Outcome> outcomes = race(member -> holder.appends(1, Events.step("s" + member)));
        List<Outcome.Appended> applied = of(Outcome.Appended.class, outcomes);
        assertThat(applied).hasSize(1);
        assertThat(of(Outcome.Conflict.class, outcomes)).hasSize(CROWD - 1).containsOnly(new Outcome.Conflict(1));
        assertThat(snapshot(holder.run()).history().subList(1, 2))
                .isEqualTo(applied.getFirst().events());
    }

    @Test
    final void aHistoryHasNoGapsWhoeverWrites() {
        Holder holder = startedAndHeld();
        race(member -> member % 2 == 0
                ? intervene(holder.run(), new Event.WaitTimedOut(new StepName("m" + member)))
                : holder.appends(1, Events.step("s" + member)));
        List<Recorded> history = snapshot(holder.run()).history();
        assertThat(history)
                .extracting(Recorded::seq)
                .isEqualTo(LongStream.range(0, history.size()).boxed().toList());
        assertThat(history).hasSizeBetween(1 + CROWD / 2, 2 + CROWD / 2);
    }

    @Test
    final void aRunEndsOnce() {
        Holder holder = startedAndHeld();
        List<Outcome> outcomes = race(member ->
                member == 0 ? holder.appends(1, Events.completed("1")) : intervene(holder.run(), Events.cancelled()));
        assertThat(of(Outcome.Appended.class, outcomes)).hasSize(1);
        assertThat(snapshot(holder.run()).last()).isEqualTo(1);
        assertThat(snapshot(holder.run()).message()).isNull();
    }

    @Test
    final void aMessageIsSettledOnce() {
        createQueue();
        sent();
        Delivery delivery = receiveOnly();
        List<Outcome> outcomes = race(member -> member % 2 == 0 ? done(delivery) : reject(delivery));
        assertThat(of(Outcome.Settled.class, outcomes)).hasSize(1);
        assertThat(of(Outcome.LeaseLost.class, outcomes)).hasSize(CROWD - 1);
    }

    @Test
    final void sendsWithOneDeduplicationIdAddOneMessage() {
        createQueue();
        List<Outcome.Sent> sent =
                of(Outcome.Sent.class, race(_ -> newMail().deduplicationId("d").send(TENANT)));
        assertThat(sent).hasSize(CROWD);
        MessageId winner = messages(QUEUE).getFirst().id();
        assertThat(messages(QUEUE)).hasSize(1);
        assertThat(sent).allMatch(answer -> answer.messages().getFirst().id().equals(winner));
        assertThat(sent.stream().filter(answer -> answer.messages().getFirst().created()))
                .hasSize(1);
    }

    @Test
    final void signalsHaveEachANumberOfTheirOwn() {
        RunId run = started();
        List<Outcome.Signalled> signalled = of(Outcome.Signalled.class, race(_ -> signal(run, Events.VERIFY)));
        List<Long> numbers = LongStream.rangeClosed(1, CROWD).boxed().toList();
        assertThat(signalled).extracting(Outcome.Signalled::number).containsExactlyInAnyOrderElementsOf(numbers);
        assertThat(snapshot(run).mailbox()).extracting(MailboxEntry::number).isEqualTo(numbers);
    }

    @Test
    final void noSignalFallsBetweenLookingAndLettingGo() {
        for (int round = 0; round < 20; round++) {
            Holder holder = startedAndHeld();
            Crowd.of(4, member -> {
                Lane lane = newLane();
                return member == 0
                        ? suspendAfterLooking(lane, holder)
                        : lane.send(signal(holder.run(), Events.VERIFY)).getFirst();
            });
            // Asleep though a signal lies there that it waited for: that wake-up would be lost.
            RunSnapshot snapshot = snapshot(holder.run());
            assertThat(snapshot.mailbox()).hasSize(3);
            RunSnapshot.RunMessage message = Objects.requireNonNull(snapshot.message());
            assertThat(message.leased() || !message.readyAt().isAfter(store.now()))
                    .as("held by its worker, or due: %s", message)
                    .isTrue();
        }
    }

    private Outcome suspendAfterLooking(Lane lane, Holder holder) {
        RunSnapshot seen = snapshot(holder.run());
        Commit suspend = holder.suspends(1, seen.run().wakes(), Events.VERIFY);
        return seen.mailbox().isEmpty()
                ? lane.send(suspend).getFirst()
                : new Outcome.Woken(seen.run().wakes());
    }

    @Test
    final void aGroupIsDeliveredInCommitOrderOneAtATime() {
        createQueue();
        List<List<MessageId>> bySender = Crowd.of(6, _ -> {
            Lane lane = newLane();
            List<MessageId> mine = new ArrayList<>();
            for (int message = 0; message < 10; message++) {
                NewMail mail = newMail().group("g");
                lane.send(mail.send(TENANT));
                mine.add(mail.message().id());
            }
            return mine;
        });
        List<MessageRow> rows = messages(QUEUE).stream()
                .sorted(Comparator.comparingLong(MessageRow::groupSeq))
                .toList();
        assertThat(rows)
                .extracting(MessageRow::groupSeq)
                .isEqualTo(LongStream.rangeClosed(1, 60).boxed().toList());
        List<MessageId> inOrder = rows.stream().map(MessageRow::id).toList();
        assertThat(bySender).allSatisfy(sent -> assertThat(inOrder).containsSubsequence(sent));

        Group group = new Group();
        Crowd.of(4, member -> {
            group.handleAll(newLane());
            return member;
        });
        // Receivers may have skipped what another was just leasing; a quiet one finds the rest.
        group.handleAll(newLane());
        assertThat(group.handled).isEqualTo(inOrder);
    }

    /** What receivers saw of one group. */
    private final class Group {
        final List<MessageId> handled = Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger held = new AtomicInteger();

        void handleAll(Lane lane) {
            boolean more = true;
            while (more) {
                more = handleNext(lane);
            }
        }

        /** Receives and settles the next message; answers whether there was one. */
        private boolean handleNext(Lane lane) {
            List<Delivery> deliveries = receive(5);
            if (deliveries.isEmpty()) {
                return false;
            }
            assertThat(held.incrementAndGet())
                    .as("messages of the group with receivers")
                    .isEqualTo(1);
            assertThat(deliveries).hasSize(1);
            handled.add(deliveries.getFirst().message().id());
            held.decrementAndGet();
            assertThat(lane.send(done(deliveries.getFirst())).getFirst()).isEqualTo(new Outcome.Settled(Fate.DONE));
            return true;
        }
    }

    @Test
    final void theFiguresAddUpAfterAStorm() {
        createQueue();
        Crowd.of(CROWD, member -> {
            Lane lane = newLane();
            for (int round = 0; round < 10; round++) {
                lane.send(newMail().group("g" + member % 3).send(TENANT));
                receive(2)
                        .forEach(delivery -> lane.send(
                                delivery.message().id().hashCode() % 3 == 0 ? reject(delivery) : done(delivery)));
            }
            return member;
        });
        var figures = store.figures(TENANT, QUEUE).orElseThrow();
        assertThat(figures.in()).isEqualTo(CROWD * 10L);
        assertThat(figures.ready() + figures.delayed() + figures.leased())
                .isEqualTo(messages(QUEUE).size());
        assertThat(figures.in()).isEqualTo(messages(QUEUE).size() + figures.out() + figures.deadLettered());
        assertThat(figures.deadLettered())
                .isEqualTo(messages(QUEUE.deadLetters()).size());
    }

    @Test
    final void aBatchThatIsSentTwiceAtOnceIsAppliedOnce() {
        RunId run = started();
        var batch = newLane().next(signal(run, Events.VERIFY));
        List<List<Outcome>> answers = Crowd.of(4, _ -> store.commit(batch));
        assertThat(answers).containsOnly(List.of(new Outcome.Signalled(1, true)));
        assertThat(row(run).wakes()).isEqualTo(1);
    }
}
