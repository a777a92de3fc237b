package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commits that travel together: applied in order, each on its own. */
abstract class BatchContract extends StoreFixture {
    BatchContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void commitsOfOneBatchApplyInOrder() {
        var lease = lease();
        Start start = newRun().leased(lease).start();
        Holder holder = new Holder(TENANT, start.run(), lease.token());
        List<Outcome> outcomes = commitTogether(
                start,
                signal(start.run(), Events.VERIFY),
                holder.appends(1, Events.took(Events.VERIFY, 1)),
                holder.appends(2, Events.step("a"), Events.completed("1")),
                signal(start.run(), Events.VERIFY));

        assertThat(outcomes.subList(0, 4)).allMatch(outcome -> outcome instanceof Outcome.Applied);
        assertThat(((Outcome.Refused) outcomes.get(4)).why()).isEqualTo(Refusal.RUN_ENDED);
        assertThat(snapshot(start.run()).last()).isEqualTo(3);
    }

    @Test
    final void aLaterCommitOfTheBatchSeesWhatAnEarlierOneDid() {
        NewMail mail = newMail();
        List<Outcome> outcomes = commitTogether(
                mail.send(TENANT), new Create(TENANT, QUEUE, QueueSettings.defaults()), mail.send(TENANT));
        assertThat(((Outcome.Refused) outcomes.get(0)).why()).isEqualTo(Refusal.NO_SUCH_QUEUE);
        assertThat(outcomes.get(1)).isEqualTo(new Outcome.Changed(1));
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Sent.class);
    }

    @Test
    final void ofTwoStartsWithOneKeyInOneBatchTheFirstWins() {
        Start first = newRun().key("k").start();
        Start second = newRun().key("k").start();
        Start third = newRun().key("k").input("7").start();
        List<Outcome> outcomes = commitTogether(first, second, third);
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Started.class);
        assertThat(outcomes.get(1))
                .isEqualTo(new Outcome.Duplicate(first.run(), RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY));
        assertThat(((Outcome.Refused) outcomes.get(2)).why()).isEqualTo(Refusal.KEY_REUSED);
    }

    @Test
    final void ofTwoStartsWithOneWorkflowIdInOneBatchTheFirstWins() {
        Start first = newRun().workflowId("w").start();
        Start second = newRun().workflowId("w").start();
        assertThat(commitTogether(first, second).get(1))
                .isEqualTo(new Outcome.Duplicate(first.run(), RunStatus.RUNNING, Outcome.Key.WORKFLOW_ID));
    }

    @Test
    final void ofTwoAppendsAtOneNumberInOneBatchTheFirstWins() {
        Holder holder = startedAndHeld();
        List<Outcome> outcomes =
                commitTogether(holder.appends(1, Events.step("a")), holder.appends(1, Events.step("b")));
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Appended.class);
        assertThat(outcomes.get(1)).isEqualTo(new Outcome.Conflict(1));
        assertThat(snapshot(holder.run()).history().get(1).event()).isEqualTo(Events.step("a"));
    }

    @Test
    final void aCancelInTheBatchStopsTheWorkerBehindIt() {
        Holder holder = startedAndHeld();
        List<Outcome> outcomes = commitTogether(
                holder.appends(1, Events.step("a")),
                intervene(holder.run(), Events.cancelled()),
                holder.appends(2, Events.step("b")));
        assertThat(outcomes.get(2)).isEqualTo(new Outcome.LeaseLost(RunStatus.CANCELLED));
        assertThat(snapshot(holder.run()).last()).isEqualTo(2);
    }

    @Test
    final void inOneBatchALostLeaseAmongStepsLosesAlone() {
        Holder before = startedAndHeld();
        Holder lost = startedAndHeld();
        Holder after = startedAndHeld();
        List<Outcome> outcomes = commitTogether(
                before.appends(1, Events.step("a")),
                new Holder(TENANT, lost.run(), ids.token()).appends(1, Events.step("a")),
                after.appends(1, Events.step("a"), Events.completed("1")));
        assertThat(outcomes)
                .hasExactlyElementsOfTypes(Outcome.Appended.class, Outcome.LeaseLost.class, Outcome.Appended.class);
        assertThat(snapshot(lost.run()).last()).isZero();
        assertThat(row(after.run()).status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    final void inOneBatchTheStepsOfARunFollowEachOther() {
        Holder holder = startedAndHeld();
        List<Outcome> outcomes = commitTogether(
                holder.appends(1, Events.step("a")),
                holder.appends(2, Events.step("b")),
                holder.appends(3, Events.step("c"), Events.completed("1")),
                holder.appends(5, Events.step("late")));
        assertThat(outcomes.subList(0, 3)).allMatch(outcome -> outcome instanceof Outcome.Appended);
        assertThat(outcomes.get(3)).isEqualTo(new Outcome.LeaseLost(RunStatus.COMPLETED));
        assertThat(snapshot(holder.run()).last()).isEqualTo(4);
    }

    @Test
    final void inOneBatchAParentHearsOfTheChildThatEndedBeforeIt() {
        Holder parent = startedAndHeld();
        Holder child = startedAndHeld(newRun().parent(parent.run()));
        commitTogether(child.appends(1, Events.completed("1")), parent.appends(1, Events.completed("1")));
        assertThat(row(parent.run()).wakes()).isEqualTo(1);
    }

    @Test
    final void inOneBatchAParentThatEndedFirstHearsNothing() {
        Holder parent = startedAndHeld();
        Holder child = startedAndHeld(newRun().parent(parent.run()));
        commitTogether(parent.appends(1, Events.completed("1")), child.appends(1, Events.completed("1")));
        assertThat(row(parent.run()).wakes()).isZero();
    }

    @Test
    final void inOneBatchAWorkflowIdIsFreeOnceItsRunHasEnded() {
        Holder holder = startedAndHeld(newRun().workflowId("w"));
        List<Outcome> outcomes = commitTogether(
                newRun().workflowId("w").start(),
                holder.appends(1, Events.completed("1")),
                newRun().workflowId("w").start());
        assertThat(outcomes)
                .hasExactlyElementsOfTypes(Outcome.Duplicate.class, Outcome.Appended.class, Outcome.Started.class);
    }

    @Test
    final void inOneBatchRunsAreReleasedEachUntilItsTime() {
        Holder yields = startedAndHeld();
        Holder sleeps = startedAndHeld();
        Holder wrong = startedAndHeld();
        Holder dies = startedAndHeld(newRun().deadline(Due.in(MINUTE)));
        List<Outcome> outcomes = commitTogether(
                yields.releases(1, Release.until(Due.atOnce())),
                sleeps.sleeps(1, HOUR),
                wrong.releases(2, Release.until(Due.atOnce())),
                dies.sleeps(1, HOUR));
        assertThat(outcomes.get(0)).isEqualTo(new Outcome.Appended(List.of(), RunStatus.RUNNING));
        assertThat(((Outcome.Appended) outcomes.get(1)).events().getFirst().until())
                .isEqualTo(NOON.plus(HOUR));
        assertThat(outcomes.get(2)).isEqualTo(new Outcome.Conflict(0));
        assertThat(messageOf(sleeps.run()).readyAt()).isEqualTo(NOON.plus(HOUR));
        assertThat(messageOf(dies.run()).readyAt()).isEqualTo(NOON.plus(MINUTE));
        assertThat(messageOf(wrong.run()).leased()).isTrue();
        assertThat(due()).containsExactly(yields.run());
    }

    @Test
    final void inOneBatchAStartWhoseIdIsInUseLosesAlone() {
        Start first = newRun().start();
        commit(first);
        Start before = newRun().start();
        Start after = newRun().start();
        List<Outcome> outcomes = commitTogether(before, first, after);
        assertThat(outcomes)
                .hasExactlyElementsOfTypes(Outcome.Started.class, Outcome.Conflict.class, Outcome.Started.class);
    }

    @Test
    final void aMessageIsSettledOnceInABatch() {
        createQueue();
        sent();
        Delivery delivery = receiveOnly();
        List<Outcome> outcomes = commitTogether(done(delivery), retry(delivery, Duration.ZERO));
        assertThat(outcomes).containsExactly(new Outcome.Settled(Fate.DONE), new Outcome.LeaseLost(null));
        assertThat(messages(QUEUE)).isEmpty();
    }

    @Test
    final void aCommitThatLosesLeavesItsNeighboursAsTheyWere() {
        Holder holder = startedAndHeld();
        Start before = newRun().start();
        Start after = newRun().start();
        List<Outcome> outcomes = commitTogether(
                before,
                holder.appends(5, Events.step("conflict")),
                new Holder(TENANT, holder.run(), ids.token()).appends(1, Events.step("lost")),
                newMail().send(TENANT),
                signal(ids.runId(), Events.VERIFY),
                holder.appends(1, Events.step("a")),
                after);
        assertThat(outcomes)
                .hasExactlyElementsOfTypes(
                        Outcome.Started.class,
                        Outcome.Conflict.class,
                        Outcome.LeaseLost.class,
                        Outcome.Refused.class,
                        Outcome.Refused.class,
                        Outcome.Appended.class,
                        Outcome.Started.class);
        assertThat(due()).containsExactlyInAnyOrder(before.run(), after.run());
    }

    @Test
    final void unusualTextTravelsToTheLetter() {
        createQueue();
        Map<String, String> unusual = Map.of("quotes", "'\"\\", "lines", "a\r\n\tb\u0001", "emoji 😀", "\uFFFF");
        sent(newMail().headers(unusual));
        assertThat(receiveOnly().message().headers()).isEqualTo(unusual);
    }

    @Test
    final void aRefusedCommitNeverFailsItsNeighbours() {
        List<Commit> batch = new ArrayList<>();
        List<RunId> neighbours = new ArrayList<>();
        List<Refusal> expected = new ArrayList<>();
        refusedCommits().forEach((why, commit) -> {
            Start neighbour = newRun(OTHER_TENANT).start();
            batch.addAll(List.of(neighbour, commit));
            neighbours.add(neighbour.run());
            expected.add(why);
        });
        Start last = newRun(OTHER_TENANT).start();
        batch.add(last);
        neighbours.add(last.run());

        List<Outcome> outcomes = commitTogether(batch.toArray(Commit[]::new));
        assertThat(outcomes.stream()
                        .filter(Outcome.Refused.class::isInstance)
                        .map(outcome -> ((Outcome.Refused) outcome).why()))
                .isEqualTo(expected);
        assertThat(outcomes.stream().filter(Outcome.Started.class::isInstance)).hasSameSizeAs(neighbours);
        assertThat(store.snapshots(OTHER_TENANT, neighbours)).hasSameSizeAs(neighbours);
    }

    /** A commit for each refusal that is easily caused; {@link LimitContract} has those for want of room. */
    private Map<Refusal, Commit> refusedCommits() {
        createQueue();
        sent();
        Holder holder = startedAndHeld(newRun().key("k").input("1"));
        RunId failed = ended(newRun().workflowId("w"), Events.failed());
        started(newRun().workflowId("w"));
        QueueSettings defaults = QueueSettings.defaults();
        QueueSettings other = new QueueSettings(MINUTE, 0, true, HOUR, HOUR, HOUR);
        Map<Refusal, Commit> commits = new EnumMap<>(Refusal.class);
        commits.put(Refusal.NO_SUCH_RUN, signal(ids.runId(), Events.VERIFY));
        commits.put(Refusal.RUN_ENDED, signal(failed, Events.VERIFY));
        commits.put(Refusal.KEY_REUSED, newRun().key("k").input("2").start());
        commits.put(Refusal.NOT_ALLOWED, intervene(holder.run(), Events.redriven()));
        commits.put(Refusal.WORKFLOW_ID_HELD, intervene(failed, Events.redriven()));
        commits.put(Refusal.NO_SUCH_SIGNAL, holder.appends(1, Events.took(Events.VERIFY, 7)));
        commits.put(Refusal.NO_SUCH_QUEUE, newMail().queue(OTHER_QUEUE).send(TENANT));
        commits.put(Refusal.QUEUE_DIFFERS, new Create(TENANT, QUEUE, other));
        commits.put(Refusal.NO_SUCH_MESSAGE, new Discard(TENANT, QUEUE, ids.messageId()));
        commits.put(Refusal.QUEUE_NOT_EMPTY, new Delete(TENANT, QUEUE));
        commits.put(
                Refusal.DELAY_TOO_LONG,
                newMail().delay(defaults.maxDelay().plusMillis(1)).send(TENANT));
        return commits;
    }

    @Test
    final void aBatchMayMixTenants() {
        Start mine = newRun(TENANT).key("k").start();
        Start theirs = newRun(OTHER_TENANT).key("k").start();
        assertThat(commitTogether(mine, theirs)).allMatch(outcome -> outcome instanceof Outcome.Started);
        assertThat(store.run(TENANT, mine.run())).isPresent();
        assertThat(store.run(OTHER_TENANT, theirs.run())).isPresent();
    }

    @Test
    final void oneBatchHasOneTime() {
        Start first = newRun().start();
        Start second = newRun().start();
        List<Outcome> outcomes = commitTogether(first, second);
        assertThat(((Outcome.Started) outcomes.get(0)).at()).isEqualTo(NOON);
        assertThat(((Outcome.Started) outcomes.get(1)).at()).isEqualTo(NOON);
    }

    @Test
    final void aThousandCommitsTravelTogether() {
        Start[] starts = new Start[1_000];
        for (int index = 0; index < starts.length; index++) {
            starts[index] = newRun().key("k" + index % 500).start();
        }
        List<Outcome> outcomes = commitTogether(starts);
        assertThat(outcomes.subList(0, 500)).allMatch(outcome -> outcome instanceof Outcome.Started);
        for (int index = 500; index < 1_000; index++) {
            assertThat(outcomes.get(index))
                    .isEqualTo(new Outcome.Duplicate(
                            starts[index - 500].run(), RunStatus.RUNNING, Outcome.Key.IDEMPOTENCY_KEY));
        }
    }
}
