package io.perdure.testkit.simulation;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.ProcessId;
import io.perdure.testkit.invariant.CommitRef;
import io.perdure.testkit.invariant.Fact;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An actor's way to the store for commits: one lane with one batch under way. A batch whose answer did not come is sent again
 * under its number; each sending is a scheduling point of its own.
 */
final class Port {
    /** Takes the answers to a batch. */
    interface Handler {
        /**
         * Goes on with the answers, one for each commit.
         *
         * @param fresh whether the batch was sent only once, so that the answer tells how things stand now
         */
        void answered(List<Outcome> outcomes, boolean fresh);
    }

    private final World world;
    private final String owner;
    private LaneId lane;
    private long number;
    private @Nullable Batch pending;
    private @Nullable Handler handler;
    private boolean sentBefore;

    Port(World world, String owner) {
        this.world = world;
        this.owner = owner;
        this.lane = open();
    }

    private LaneId open() {
        ProcessId process = world.ids.processId();
        world.store.openLanes(process, 1);
        number = 0;
        return new LaneId(process, 0);
    }

    /** Forgets what is under way and comes back as another process. */
    void reopen() {
        pending = null;
        handler = null;
        lane = open();
    }

    boolean isBusy() {
        return pending != null;
    }

    void send(List<? extends Commit> commits, Handler then) {
        number++;
        pending = new Batch(lane, number, List.copyOf(commits));
        handler = then;
        sentBefore = false;
    }

    /** Sends what is under way once. Answers false where the store has forgotten the lane: its owner must begin anew. */
    boolean act() {
        Batch batch = pending;
        Handler then = handler;
        if (batch == null || then == null) {
            throw new IllegalStateException("%s has nothing under way".formatted(owner));
        }
        int since = asked(world, owner, batch);
        if (world.fault(Fault.LATE_COPY, 0.1)) {
            world.underWay.add(batch);
        }
        if (world.fault(Fault.LOST_REQUEST, 0.08)) {
            lost(world, owner, batch);
            sentBefore = true;
            return true;
        }
        List<Outcome> outcomes;
        try {
            outcomes = world.store.commit(batch);
        } catch (StoreException e) {
            lost(world, owner, batch);
            return false;
        }
        if (world.fault(Fault.LOST_ANSWER, 0.1)) {
            lost(world, owner, batch);
            sentBefore = true;
            return true;
        }
        answered(world, owner, since, batch, outcomes);
        pending = null;
        handler = null;
        then.answered(outcomes, !sentBefore);
        return true;
    }

    /** Lets a copy of a batch that somebody once sent arrive. Nobody waits for its answer; the trace notes it all the same. */
    static void deliverCopy(World world) {
        Batch batch = world.underWay.remove(world.random.nextInt(world.underWay.size()));
        int since = asked(world, "wire", batch);
        try {
            answered(world, "wire", since, batch, world.store.commit(batch));
        } catch (StoreException e) {
            // The lane has gone on and forgotten this one: it does not arrive.
            lost(world, "wire", batch);
        }
    }

    private static int asked(World world, String by, Batch batch) {
        int since = world.position();
        for (int index = 0; index < batch.commits().size(); index++) {
            world.note(by, new Fact.Asked(ref(batch, index), batch.commits().get(index)));
        }
        return since;
    }

    private static void lost(World world, String by, Batch batch) {
        for (int index = 0; index < batch.commits().size(); index++) {
            world.note(
                    by, new Fact.AnswerLost(ref(batch, index), batch.commits().get(index)));
        }
    }

    private static void answered(World world, String by, int since, Batch batch, List<Outcome> outcomes) {
        for (int index = 0; index < batch.commits().size(); index++) {
            world.note(
                    since,
                    by,
                    new Fact.Answered(ref(batch, index), batch.commits().get(index), outcomes.get(index)));
        }
    }

    private static CommitRef ref(Batch batch, int index) {
        return new CommitRef(batch.lane().process() + "/" + batch.lane().number(), batch.number(), index);
    }
}
