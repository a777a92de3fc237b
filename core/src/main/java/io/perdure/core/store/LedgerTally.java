package io.perdure.core.store;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Counts for {@link LedgerFigures}; the lanes add to it once per batch. */
final class LedgerTally {
    final LongAdder commits = new LongAdder();
    final LongAdder batches = new LongAdder();
    final LongAdder resends = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder unknown = new LongAdder();
    final LongAdder freshLanes = new LongAdder();
    final LongAccumulator largestBatch = new LongAccumulator(Math::max, 0);

    LedgerFigures figures(Room room) {
        return new LedgerFigures(
                commits.sum(),
                batches.sum(),
                resends.sum(),
                largestBatch.get(),
                room.commits(),
                room.bytes(),
                failed.sum(),
                unknown.sum(),
                freshLanes.sum());
    }
}
