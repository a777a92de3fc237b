package io.perdure.testkit.property;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Store;
import io.perdure.testkit.ForwardingStore;
import java.util.List;
import java.util.stream.IntStream;

/** A right store with room for one fault: whoever extends it bends what goes in or what comes out. */
abstract class FaultyStore extends ForwardingStore {
    FaultyStore(Store right) {
        super(right);
    }

    /** What becomes of a commit on its way in. */
    Commit bent(Commit commit) {
        return commit;
    }

    /** What becomes of an outcome on its way out. */
    Outcome bent(Commit commit, Outcome outcome) {
        return outcome;
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        List<Commit> commits = batch.commits().stream().map(this::bent).toList();
        List<Outcome> outcomes = store.commit(new Batch(batch.lane(), batch.number(), commits));
        return IntStream.range(0, outcomes.size())
                .mapToObj(index -> bent(batch.commits().get(index), outcomes.get(index)))
                .toList();
    }
}
