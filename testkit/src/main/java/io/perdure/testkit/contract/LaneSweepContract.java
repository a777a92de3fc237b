package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.testkit.StoreFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a store forgets what lanes sent, and in the end the lanes. */
abstract class LaneSweepContract extends SweepFixture {
    private static final Limits.Lanes LANES = Limits.defaults().lanes();

    LaneSweepContract(StoreFactory factory) {
        super(factory);
    }

    @Test
    final void oldOutcomesGoSaveTheNewestOfEachLane() {
        Lane lane = newLane();
        lane.send(newRun().start());
        lane.send(newRun().start());
        Batch newest = lane.next(newRun().start());
        List<Outcome> outcomes = store.commit(newest);
        sweep(Sweep.LANE_BATCHES);
        clock.move(LANES.batchesKept().plus(MOMENT));
        assertThat(sweep(Sweep.LANE_BATCHES)).isEqualTo(2);
        assertThat(store.commit(newest)).isEqualTo(outcomes);
        assertThat(lane.send(newRun().start()).getFirst()).isInstanceOf(Outcome.Started.class);
    }

    @Test
    final void outcomesThatAreStillKeptAreNotRemoved() {
        Lane lane = newLane();
        lane.send(newRun().start());
        lane.send(newRun().start());
        clock.move(LANES.batchesKept().minus(MOMENT));
        assertThat(sweep(Sweep.LANE_BATCHES)).isZero();
    }

    @Test
    final void aSilentLaneIsForgotten() {
        Lane lane = newLane();
        lane.send(newRun().start());
        clock.move(LANES.lanesKept().plus(MOMENT));
        sweep(Sweep.LANE_BATCHES);
        forgotten(lane);
    }

    private void forgotten(Lane lane) {
        rewound(lane.next(newRun().start()));
    }

    private void rewound(Batch batch) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.commit(batch))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.LANE_REWOUND));
    }

    @Test
    final void aLaneThatSpeaksIsKept() {
        Lane lane = newLane();
        lane.send(newRun().start());
        clock.move(LANES.lanesKept().minus(MOMENT));
        lane.send(newRun().start());
        clock.move(LANES.lanesKept().minus(MOMENT));
        sweep(Sweep.LANE_BATCHES);
        assertThat(lane.send(newRun().start()).getFirst()).isInstanceOf(Outcome.Started.class);
    }

    @Test
    final void aSweepOfOutcomesRemovesNoMoreThanItsLimit() {
        Lane lane = newLane();
        for (int batch = 0; batch < 4; batch++) {
            lane.send(newRun().start());
        }
        clock.move(LANES.batchesKept().plus(MOMENT));
        assertThat(sweepOneByOne(Sweep.LANE_BATCHES)).isEqualTo(3);
    }

    @Test
    final void aSweepOfSilentLanesRemovesNoMoreThanItsLimit() {
        Lane lane = newLane();
        for (int batch = 0; batch < 4; batch++) {
            lane.send(newRun().start());
        }
        clock.move(LANES.lanesKept().plus(MOMENT));
        // This one and the fixture's own, each counting as one with all it holds.
        assertThat(sweepOneByOne(Sweep.LANE_BATCHES)).isEqualTo(2);
        forgotten(lane);
    }

    @Test
    final void theLanesThatFellSilentFirstGoFirst() {
        clock.move(MINUTE);
        Lane early = newLane();
        clock.move(MINUTE);
        Lane late = newLane();
        clock.move(LANES.lanesKept().plus(MOMENT));
        // The fixture's own is the oldest.
        assertThat(store.sweep(Sweep.LANE_BATCHES, 2)).isEqualTo(2);
        forgotten(early);
        assertThat(late.send(newRun().start()).getFirst()).isInstanceOf(Outcome.Started.class);
    }

    @Test
    final void theOldestOutcomesGoFirst() {
        Lane lane = newLane();
        Batch first = lane.next(newRun().start());
        store.commit(first);
        clock.move(MINUTE);
        Batch second = lane.next(newRun().start());
        List<Outcome> outcomes = store.commit(second);
        lane.send(newRun().start());
        clock.move(LANES.batchesKept().plus(MOMENT));
        assertThat(store.sweep(Sweep.LANE_BATCHES, 1)).isEqualTo(1);
        rewound(first);
        assertThat(store.commit(second)).isEqualTo(outcomes);
    }
}
