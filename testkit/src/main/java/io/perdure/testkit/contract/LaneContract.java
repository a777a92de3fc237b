package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.ProcessId;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What makes a lost answer harmless: numbered batches, applied once and answered truly. */
abstract class LaneContract extends StoreFixture {
    private final LaneId lane;

    LaneContract(StoreFactory factory) {
        super(factory);
        ProcessId process = ids.processId();
        store.openLanes(process, 2);
        lane = new LaneId(process, 0);
    }

    private Batch batch(long number, Commit... commits) {
        return new Batch(lane, number, List.of(commits));
    }

    private void rewound(Batch batch) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.commit(batch))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.LANE_REWOUND));
    }

    @Test
    final void aResentBatchIsNotAppliedAgain() {
        var run = started();
        Batch batch = batch(1, signal(run, Events.VERIFY), intervene(run, Events.parked()));
        List<Outcome> first = store.commit(batch);
        assertThat(store.commit(batch)).isEqualTo(first);
        assertThat(store.commit(batch)).isEqualTo(first);
        assertThat(row(run).wakes()).isEqualTo(1);
        assertThat(snapshot(run).last()).isEqualTo(1);
    }

    @Test
    final void aResentBatchAnswersWhatItAnsweredWhateverHappenedSince() {
        Holder holder = startedAndHeld();
        Batch batch = batch(1, holder.appends(1, Events.slept("nap"), Due.in(HOUR)));
        List<Outcome> first = store.commit(batch);
        clock.move(MINUTE);
        appended(intervene(holder.run(), Events.cancelled()));
        assertThat(store.commit(batch)).isEqualTo(first);
    }

    @Test
    final void aRefusalIsRememberedTooAndNothingIsTriedAgain() {
        Batch batch = batch(1, newMail().send(TENANT));
        assertThat(((Outcome.Refused) store.commit(batch).getFirst()).why()).isEqualTo(Refusal.NO_SUCH_QUEUE);
        createQueue();
        assertThat(((Outcome.Refused) store.commit(batch).getFirst()).why()).isEqualTo(Refusal.NO_SUCH_QUEUE);
        assertThat(messages(QUEUE)).isEmpty();
    }

    @Test
    final void everyKindOfOutcomeIsRememberedToTheLetter() {
        createQueue();
        Holder holder = startedAndHeld(newRun().key("k").workflowId("w"));
        sent();
        var delivery = receiveOnly();
        Batch batch = batch(
                1,
                newRun().deadline(Due.in(HOUR)).start(),
                newRun().key("k").start(),
                newRun().key("k").input("7").start(),
                signal(holder.run(), Events.VERIFY),
                holder.suspends(1, 0, Events.VERIFY),
                holder.appends(3, Events.step("a")),
                holder.appends(1, Events.step("a"), Events.failed()),
                holder.appends(2, Events.step("b")),
                sendAll(newMail().deduplicationId("d"), newMail().deduplicationId("d")),
                settle(delivery, new Verdict.Done()),
                done(delivery),
                new Purge(TENANT, QUEUE, 5));
        List<Outcome> first = store.commit(batch);
        assertThat(first)
                .hasExactlyElementsOfTypes(
                        Outcome.Started.class,
                        Outcome.Duplicate.class,
                        Outcome.Refused.class,
                        Outcome.Signalled.class,
                        Outcome.Woken.class,
                        Outcome.Conflict.class,
                        Outcome.Appended.class,
                        Outcome.LeaseLost.class,
                        Outcome.Sent.class,
                        Outcome.Settled.class,
                        Outcome.LeaseLost.class,
                        Outcome.Changed.class);
        clock.move(HOUR);
        assertThat(store.commit(batch)).isEqualTo(first);
    }

    @Test
    final void aBatchThatSkipsANumberIsRefusedAndChangesNothing() {
        Start start = newRun().start();
        rewound(batch(2, start));
        assertThat(store.run(TENANT, start.run())).isEmpty();
        store.commit(batch(1, start));
        rewound(batch(3, newRun().start()));
        assertThat(due()).containsExactly(start.run());
    }

    @Test
    final void aLaneGoesOnAfterABatchThatWasOutOfTurn() {
        store.commit(batch(1, newRun().start()));
        rewound(batch(7, newRun().start()));
        assertThat(store.commit(batch(2, newRun().start())).getFirst()).isInstanceOf(Outcome.Started.class);
    }

    @Test
    final void anOlderBatchIsNeverAppliedAgain() {
        var run = started();
        Batch first = batch(1, signal(run, Events.VERIFY));
        List<Outcome> outcomes = store.commit(first);
        store.commit(batch(2, signal(run, Events.VERIFY)));
        store.commit(batch(3, signal(run, Events.VERIFY)));
        clock.move(Limits.defaults().lanes().batchesKept());
        store.sweep(Sweep.LANE_BATCHES, 1_000);
        assertThat(store.commit(first)).isEqualTo(outcomes);

        clock.move(MOMENT);
        store.sweep(Sweep.LANE_BATCHES, 1_000);
        rewound(first);
        assertThat(row(run).wakes()).isEqualTo(3);
    }

    @Test
    final void aLaneThatWasNeverOpenedIsUnknown() {
        LaneId unopened = new LaneId(lane.process(), 2);
        rewound(new Batch(unopened, 1, List.of(newRun().start())));
        rewound(new Batch(new LaneId(ids.processId(), 0), 1, List.of(newRun().start())));
        assertThat(due()).isEmpty();
    }

    @Test
    final void lanesCountEachForItself() {
        LaneId second = new LaneId(lane.process(), 1);
        store.commit(batch(1, newRun().start()));
        store.commit(batch(2, newRun().start()));
        store.commit(new Batch(second, 1, List.of(newRun().start())));
        rewound(new Batch(second, 3, List.of(newRun().start())));
        assertThat(due()).hasSize(3);
    }

    @Test
    final void lanesThatAreOpenStayAsTheyAre() {
        Batch batch = batch(1, newRun().start());
        List<Outcome> outcomes = store.commit(batch);
        store.openLanes(lane.process(), 2);
        assertThat(store.commit(batch)).isEqualTo(outcomes);
        assertThat(store.commit(batch(2, newRun().start())).getFirst()).isInstanceOf(Outcome.Started.class);
    }

    @Test
    final void openingMoreLanesAddsThem() {
        store.commit(batch(1, newRun().start()));
        store.openLanes(lane.process(), 4);
        LaneId added = new LaneId(lane.process(), 3);
        assertThat(store.commit(new Batch(added, 1, List.of(newRun().start()))).getFirst())
                .isInstanceOf(Outcome.Started.class);
        assertThat(store.commit(batch(2, newRun().start())).getFirst()).isInstanceOf(Outcome.Started.class);
    }

    @Test
    final void openingALaneAgainKeepsItAlive() {
        Duration almost = Limits.defaults().lanes().lanesKept().minus(MINUTE);
        ProcessId process = ids.processId();
        Lane quiet = Lane.open(store, process);
        quiet.send(newRun().start());
        clock.move(almost);
        store.openLanes(process, 1);
        clock.move(almost);
        store.sweep(Sweep.LANE_BATCHES, 1_000);
        assertThat(quiet.send(newRun().start()).getFirst()).isInstanceOf(Outcome.Started.class);
    }

    @Test
    final void aBatchThatIsSentAgainWithMoreInItIsNotTheSame() {
        Start start = newRun().start();
        store.commit(batch(1, start));
        assertThatThrownBy(() -> store.commit(batch(1, start, newRun().start())))
                .isInstanceOfSatisfying(
                        PerdureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_COMMIT));
    }
}
