package io.perdure.sdk.worker;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.logging.SparingLog;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Works on runs: claims those that are due, runs their code on virtual threads, keeps their leases, and lets go of them cleanly
 * when it is closed. How many it works on at once is bounded by {@link Slots}.
 *
 * <p>Four threads serve all runs. {@link Claimer} asks for work in bulk when it is told that there may be some; {@link Extender}
 * keeps the leases, on a thread of the operating system, so that steps which never wait cannot hold it up; {@link Lingering}
 * sends what a step left behind when the code is slow to go on; {@link Alarms} interrupts steps that take too long.
 */
public final class Worker implements AutoCloseable {
    private final Setup setup;
    private final Slots slots;
    private final Map<RunId, Turn> turns = new ConcurrentHashMap<>();
    private final TakenRuns taken = new TakenRuns();
    /** For what can happen to many runs at once. */
    final SparingLog log;

    /** For runs that failed, of which there may be so many that no other line would be left. */
    final SparingLog failures;

    private final Lingering lingering;
    private final Alarms alarms;
    private final Extender extender;
    private final Claimer claimer;
    private final Bell emptied;
    private final List<Thread> threads = new ArrayList<>();
    private final Thread claiming;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean draining;
    private volatile boolean closed;

    /**
     * What a worker works with.
     *
     * @param concurrency how many runs it works on at once
     * @param followers who hears what becomes of a run that was claimed
     */
    public record Setup(
            Backend backend,
            Registry registry,
            Codec codec,
            Environment environment,
            Limits limits,
            int concurrency,
            Surroundings surroundings,
            Function<RunId, Follower> followers) {}

    private Worker(Setup setup) {
        this.setup = setup;
        this.log = new SparingLog(Worker.class, setup.environment());
        this.failures = new SparingLog(Worker.class, setup.environment());
        this.slots = new Slots(setup.concurrency());
        this.lingering = new Lingering(
                setup.environment(), turns.values(), setup.limits().workers().completionWaits());
        this.alarms = new Alarms(setup.environment());
        this.extender = new Extender(setup, turns.values());
        this.claimer = new Claimer(setup, slots, extender, new Listener(), this::goOn);
        this.emptied = setup.environment().bell();
        Environment environment = setup.environment();
        threads.add(environment.startApart("perdure-leases", extender));
        threads.add(environment.start("perdure-lingering", lingering));
        threads.add(environment.startApart("perdure-timeouts", alarms));
        claiming = environment.start("perdure-claims", claimer);
    }

    /** Starts to claim and work. */
    public static Worker start(Setup setup) {
        return new Worker(setup);
    }

    /**
     * Takes room for a run that is about to be started; false where there is none, or runs that came before wait for it. Room
     * that was taken is used by {@link #work} or given back by {@link #giveBack}.
     */
    public boolean reserve() {
        return !draining && !claimer.hasBacklog() && slots.tryTake();
    }

    /** Gives back room that was reserved. */
    public void giveBack() {
        int free = slots.giveBack();
        claimer.roomMade(free);
        if (draining && free == slots.all()) {
            emptied.ring();
        }
    }

    /**
     * Goes on with a run that was started under a lease of this worker, in room that was reserved; on this thread, which is the
     * run's from now on.
     *
     * @param confirmedNanos when the commit that leased it began
     */
    public void work(Assignment assignment, long confirmedNanos, Follower follower) {
        Turn turn;
        try {
            turn = entered(assignment, confirmedNanos, follower);
        } catch (RuntimeException | Error e) {
            giveBack();
            follower.left();
            throw e;
        }
        turn.run();
    }

    /**
     * Goes on with a run that was claimed, alone or together with a commit, in room that was taken for it; on a thread of
     * its own. Where this throws, the room is the caller's still.
     *
     * @param confirmedNanos when the call that leased it began
     */
    public void goOn(Assignment assignment, long confirmedNanos) {
        RunId run = assignment.held().run();
        Turn turn = entered(assignment, confirmedNanos, setup.followers().apply(run));
        try {
            setup.environment().start("perdure-run-" + run, turn);
        } catch (RuntimeException | Error e) {
            turns.remove(run, turn);
            throw e;
        }
    }

    private Turn entered(Assignment assignment, long confirmedNanos, Follower follower) {
        WorkflowDefinition workflow = setup.registry().require(assignment.workflow(), assignment.version());
        Turn turn = new Turn(this, workflow, assignment, confirmedNanos, follower);
        RunId run = assignment.held().run();
        Turn earlier = turns.put(run, turn);
        if (earlier != null) {
            earlier.lose();
            turn.after(earlier);
        }
        if (closed || taken.contains(run)) {
            // Nobody keeps its lease any more.
            turn.lose();
        }
        return turn;
    }

    /** Notes that a run was started, or let go of, that becomes due after so long. */
    public void dueIn(Duration delay) {
        claimer.dueIn(delay);
    }

    /** A run was ended or parked from this process: who works on it here does so in vain. */
    public void taken(RunId run) {
        // Before the look: who begins it in this moment looks in the other order.
        taken.add(run);
        Turn turn = turns.get(run);
        if (turn != null) {
            turn.lose();
        }
    }

    /** Hears of what others did. */
    private final class Listener implements Backend.Listener {
        @Override
        public void due() {
            claimer.hint();
        }

        @Override
        public void ended(RunId run) {
            Turn turn = turns.get(run);
            // A turn that ended its run itself has no step any more. Hints can be wrong: the store says who has lost.
            if (turn != null && turn.isInStep() && !turn.holding().isLost()) {
                extender.lookNow();
            }
        }
    }

    /** Whether a run is worked on now. */
    public boolean isWorkingOn(RunId run) {
        return turns.containsKey(run);
    }

    /** How many runs are worked on now. */
    public int working() {
        return turns.size();
    }

    /** Claims no more, and lets every run go on to its next step and let go there; does not wait for them. */
    public void leave() {
        draining = true;
        claimer.close();
    }

    /**
     * Leaves, and interrupts steps that take longer than the limit for draining. Returns when all have let go, or shortly after interrupting
     * those that do not.
     */
    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            return;
        }
        leave();
        try {
            // A claim that is under way still brings runs, which are to be let go of.
            claiming.join();
            Duration patience = setup.limits().workers().drain();
            if (!awaitEmpty(patience)) {
                turns.values().forEach(Turn::interruptStep);
                awaitEmpty(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            // Whoever closes is in a hurry: the leases run out.
            Thread.currentThread().interrupt();
        }
        // Whoever still waits to hear that its lease is held need not wait any longer.
        closed = true;
        turns.values().forEach(Turn::lose);
        extender.close();
        lingering.close();
        alarms.close();
        joinThreads();
        // Whoever waits for a run that would not let go need not wait any longer.
        turns.values().forEach(Turn::abandon);
    }

    /** Waits until every run has let go, also those that are about to begin. */
    private boolean awaitEmpty(Duration patience) throws InterruptedException {
        // Converted, not toNanos(): centuries must not overflow.
        long deadline = setup.environment().nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
        while (slots.free() < slots.all()) {
            long left = deadline - setup.environment().nanoTime();
            if (left <= 0) {
                return false;
            }
            emptied.await(Duration.ofNanos(left));
        }
        return true;
    }

    private void joinThreads() {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void ended(Turn turn) {
        // Where an earlier one hangs on, the next has to know of it.
        turns.computeIfPresent(
                turn.holding().held().run(), (_, newest) -> newest.equals(turn) ? turn.earlier() : newest);
        giveBack();
    }

    /** Whether it ends, and begins nothing more. */
    public boolean isDraining() {
        return draining;
    }

    Backend backend() {
        return setup.backend();
    }

    Environment environment() {
        return setup.environment();
    }

    Limits limits() {
        return setup.limits();
    }

    Codec codec() {
        return setup.codec();
    }

    Surroundings surroundings() {
        return setup.surroundings();
    }

    Lingering lingering() {
        return lingering;
    }

    Alarms alarms() {
        return alarms;
    }
}
