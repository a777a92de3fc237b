package io.perdure.testkit.contract;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.ProcessId;
import java.util.List;

/** One open lane that numbers its batches. For one thread; each thread of a test opens its own. */
final class Lane {
    private final Store store;
    private final LaneId id;
    private long number;

    private Lane(Store store, LaneId id) {
        this.store = store;
        this.id = id;
    }

    /** Opens lane 0 of a process. */
    static Lane open(Store store, ProcessId process) {
        store.openLanes(process, 1);
        return new Lane(store, new LaneId(process, 0));
    }

    /** The next batch of this lane, not yet sent. */
    Batch next(Commit... commits) {
        number++;
        return new Batch(id, number, List.of(commits));
    }

    List<Outcome> send(Commit... commits) {
        return store.commit(next(commits));
    }
}
