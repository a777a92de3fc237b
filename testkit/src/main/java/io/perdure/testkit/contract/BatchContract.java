package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.history.RunStatus;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
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
    final void aMessageIsSettledOnceInABatch() {
        createQueue();
        sent();
        Delivery delivery = receiveOnly();
        List<Outcome> outcomes = commitTogether(done(delivery), retry(delivery, Duration.ZERO));
        assertThat(outcomes).containsExactly(new Outcome.Settled(Outcome.Fate.DONE), new Outcome.LeaseLost(null));
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
    final void aBadCommitNeverFailsItsNeighbours() {
        createQueue();
        Map<String, String> unusual = Map.of("quotes", "'\"\\", "lines", "a\r\n\tb\u0001", "emoji 😀", "\uFFFF");
        NewMail odd = newMail().headers(unusual);
        Start before = newRun().start();
        Start after = newRun().start();
        List<Outcome> outcomes = commitTogether(before, odd.send(TENANT), after);

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Started.class);
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Started.class);
        assertThat(due()).containsExactlyInAnyOrder(before.run(), after.run());
        // A store may be unable to keep such text, but then it must say so; it may not keep something else.
        switch (outcomes.get(1)) {
            case Outcome.Refused refused -> {
                assertThat(refused.why()).isEqualTo(Refusal.BAD_VALUE);
                assertThat(messages(QUEUE)).isEmpty();
            }
            case Outcome other -> {
                assertThat(other).isInstanceOf(Outcome.Sent.class);
                assertThat(messages(QUEUE).getFirst().headers()).isEqualTo(unusual);
            }
        }
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
