package io.perdure.testkit.simulation;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.invariant.Fact;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claims runs and works on them, one call at a time: claim, read, confirm the lease, run a step's body, commit. A body begins only
 * in the very move in which the store confirmed the lease, by an extension or by a commit that was sent once; so what the rules say
 * of side effects holds even when the store's clock jumps and leases end before their time.
 */
final class Worker extends Actor {
    private final Limits limits;
    private final Deque<Job> claimed = new ArrayDeque<>();
    private @Nullable Job job;
    private Runnable next = this::look;
    private boolean confirmed;
    private int emptyClaims;
    private int turn;
    private final Map<TenantId, Instant> nextReady = new TreeMap<>();

    Worker(World world, String name, Limits limits) {
        super(world, name);
        this.limits = limits;
    }

    @Override
    void forget() {
        claimed.clear();
        job = null;
        next = this::look;
        emptyClaims = 0;
    }

    @Override
    boolean isIdle() {
        return super.isIdle() && job == null && claimed.isEmpty() && emptyClaims >= World.TENANTS.size();
    }

    /** Looks at once again: time has passed. */
    void wake() {
        emptyClaims = 0;
        nextReady.clear();
    }

    /** When the next runs are ready, as far as the last claims told. */
    Stream<Instant> nextReady() {
        return nextReady.values().stream();
    }

    @Override
    void move() {
        confirmed = false;
        next.run();
    }

    private void look() {
        job = claimed.poll();
        if (job != null) {
            next = this::read;
            read();
        } else if (!world.faultsStopped() && world.chance(0.1)) {
            startOwn();
        } else {
            claim();
        }
    }

    private void claim() {
        TenantId tenant = World.TENANTS.get(turn++ % World.TENANTS.size());
        Lease lease = new Lease(world.ids.token(), limits.runs().lease());
        int since = world.position();
        Claimed answer =
                world.store.claim(new ClaimRuns(tenant, SampleWorkflow.SERVED, world.random.nextInt(1, 4), lease));
        for (ClaimedRun run : answer.runs()) {
            world.note(since, name, new Fact.RunClaimed(tenant, run, lease));
            claimed.add(new Job(tenant, run.run(), lease.token(), run.lapses(), SampleWorkflow.named(run.workflow())));
        }
        emptyClaims = answer.runs().isEmpty() ? emptyClaims + 1 : 0;
        Instant ready = answer.nextReady();
        if (ready == null) {
            nextReady.remove(tenant);
        } else {
            nextReady.put(tenant, ready);
        }
    }

    /** A start that hands the run to this very worker. */
    private void startOwn() {
        Lease lease = new Lease(world.ids.token(), limits.runs().lease());
        RunCommit.Start start = Starter.start(world, lease);
        port.send(List.of(start), (outcomes, _) -> {
            if (outcomes.getFirst() instanceof Outcome.Started) {
                claimed.add(new Job(
                        start.tenant(),
                        start.run(),
                        lease.token(),
                        0,
                        SampleWorkflow.named(start.definition().workflow())));
            }
        });
    }

    private void read() {
        Job current = current();
        int since = world.position();
        List<RunSnapshot> found = world.store.snapshots(current.tenant, List.of(current.run));
        found.forEach(snapshot -> world.note(since, name, new Fact.RunRead(current.tenant, snapshot)));
        if (found.isEmpty() || found.getFirst().run().status() != RunStatus.RUNNING) {
            drop();
            return;
        }
        world.lookedAt(current.tenant, current.run);
        current.refresh(found.getFirst());
        decide();
    }

    /** Goes on with the run until the next call of the store is needed. */
    void decide() {
        new Decision(world, this, current()).decide();
    }

    /** Asks the store whether the lease still holds, then runs a body at once. */
    void confirmThen(Runnable body) {
        if (confirmed) {
            body.run();
            return;
        }
        next = () -> {
            Job current = current();
            Extend extend =
                    new Extend(current.tenant, current.receipt(), limits.runs().lease());
            int since = world.position();
            Extended answer = world.store.extend(List.of(extend)).getFirst();
            world.note(since, name, new Fact.LeaseExtended(extend, answer));
            if (answer instanceof Extended.Until) {
                body.run();
            } else {
                drop();
            }
        };
    }

    /** Commits what the job has gathered; {@code before} goes in the same batch, ahead of it. */
    void commit(List<Commit> before, @Nullable Release release) {
        Job current = current();
        List<Commit> commits = new ArrayList<>(before);
        commits.add(current.advance(release));
        port.send(commits, (outcomes, fresh) -> answered(outcomes.getLast(), fresh, release));
    }

    private void answered(Outcome outcome, boolean fresh, @Nullable Release release) {
        switch (outcome) {
            case Outcome.Appended appended -> {
                current().committed(appended.events());
                confirmed = fresh;
                if (appended.status() != RunStatus.RUNNING || release != null) {
                    drop();
                } else {
                    decide();
                }
            }
            case Outcome.Woken _ -> next = this::read;
            case Outcome.Applied _, Outcome.Conflict _, Outcome.LeaseLost _, Outcome.Duplicate _, Outcome.Refused _ ->
                drop();
        }
    }

    /** Lets go of a run for a moment, so that others get their turn. */
    void yieldNow() {
        commit(List.of(), Release.until(Due.atOnce()));
    }

    private void drop() {
        job = null;
        next = this::look;
    }

    private Job current() {
        Job current = job;
        if (current == null) {
            throw new IllegalStateException("%s has no run".formatted(name));
        }
        return current;
    }
}
