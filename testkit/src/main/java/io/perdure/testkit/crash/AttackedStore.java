package io.perdure.testkit.crash;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Committed;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.Store;
import io.perdure.testkit.ForwardingStore;
import io.perdure.testkit.crash.Attacker.Blow;
import io.perdure.testkit.crash.Attacker.When;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** A store as the workers see it, which tells an attacker of every suspension that passes through. */
final class AttackedStore extends ForwardingStore {
    private final Attacker attacker;
    private final Tally tally;

    /** What became of suspensions. */
    static final class Tally {
        final LongAdder all = new LongAdder();
        final LongAdder suspended = new LongAdder();
        final LongAdder woken = new LongAdder();
        final LongAdder lost = new LongAdder();
        /** Runs that went on in the very call that signalled them. */
        final LongAdder along = new LongAdder();

        private void count(Outcome outcome) {
            switch (outcome) {
                case Outcome.Appended _ -> suspended.increment();
                case Outcome.Woken _ -> woken.increment();
                case Outcome.LeaseLost _, Outcome.Conflict _ -> lost.increment();
                case Outcome other -> throw new AssertionError("a suspension was answered with " + other);
            }
        }

        @Override
        public String toString() {
            return "%s suspensions: %s suspended, %s were woken, %s had lost their lease; %s were taken along"
                    .formatted(all, suspended, woken, lost, along);
        }
    }

    AttackedStore(Store store, Attacker attacker, Tally tally) {
        super(store);
        this.attacker = attacker;
        this.tally = tally;
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        return struck(batch, () -> new Committed(store.commit(batch), null)).outcomes();
    }

    @Override
    public Committed commit(Batch batch, ClaimRuns along) {
        return struck(batch, () -> store.commit(batch, along));
    }

    private Committed struck(Batch batch, Supplier<Committed> call) {
        List<Blow> blows = new ArrayList<>();
        for (Commit commit : batch.commits()) {
            if (commit instanceof RunCommit.Start start) {
                attacker.started(start);
            } else if (isSuspension(commit)) {
                tally.all.increment();
                blows.addAll(attacker.blows((Advance) commit));
            }
        }
        attacker.deal(blows, When.BEFORE).join();
        CompletableFuture<Void> during = attacker.deal(blows, When.DURING);
        Committed committed = call.get();
        during.join();
        CompletableFuture<Void> _ = attacker.deal(blows, When.AFTER);
        for (int place = 0; place < batch.commits().size(); place++) {
            if (isSuspension(batch.commits().get(place))) {
                tally.count(committed.outcomes().get(place));
            }
        }
        if (committed.woken() != null) {
            tally.along.increment();
        }
        return committed;
    }

    private static boolean isSuspension(Commit commit) {
        return commit instanceof Advance advance
                && advance.release() != null
                && !advance.release().wakeOn().isEmpty();
    }
}
