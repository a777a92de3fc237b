package io.perdure.testkit.crash;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
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
            return "%s suspensions: %s suspended, %s were woken, %s had lost their lease"
                    .formatted(all, suspended, woken, lost);
        }
    }

    AttackedStore(Store store, Attacker attacker, Tally tally) {
        super(store);
        this.attacker = attacker;
        this.tally = tally;
    }

    @Override
    public List<Outcome> commit(Batch batch) {
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
        List<Outcome> outcomes = store.commit(batch);
        during.join();
        CompletableFuture<Void> _ = attacker.deal(blows, When.AFTER);
        for (int place = 0; place < outcomes.size(); place++) {
            if (isSuspension(batch.commits().get(place))) {
                tally.count(outcomes.get(place));
            }
        }
        return outcomes;
    }

    private static boolean isSuspension(Commit commit) {
        return commit instanceof Advance advance
                && advance.release() != null
                && !advance.release().wakeOn().isEmpty();
    }
}
