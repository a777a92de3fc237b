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
 * <p>Five threads serve all runs, each one of the operating system, so that steps which never wait cannot hold them up. {@link Claimer} asks for
 * work in bulk when it is told that there may be some; {@link Extender} keeps the leases; {@link Lingering} sends what a step left behind when
 * the code is slow to go on; {@link Alarms} interrupts steps that take too long; {@link TurnThreads} has runs begin where virtual threads cannot.
 */
public final class Worker implements AutoCloseable {
    /** How long steps have to end once they were interrupted. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Setup setup;
    private final Slots slots;
    private final Map<RunId, Turn> turns = new ConcurrentHashMap<>();
    private final TakenRuns taken = new TakenRuns();
    /** For what can happen to many runs at once. */
    final SparingLog log;

    /** For runs that failed, of which there may be so many that no other line would be left. */
    final SparingLog failures;

    /** For attempts that failed and are made again, which may be more still. */
    final SparingLog retries;

    private final Lingering lingering;
    private final Alarms alarms;
    private final AbandonedThreads abandoned;
    private final TurnThreads turnThreads;
    private final Extender extender;
    private final Claimer claimer;
    private final Bell emptied;
    private final List<Thread> threads = new ArrayList<>();
    private final Thread claiming;
    private final AtomicBoolean leaving = new AtomicBoolean();
    private final AtomicBoolean stepsInterrupted = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean draining;
    private volatile long drainedBy;
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
        this.retries = new SparingLog(Worker.class, setup.environment());
        this.slots = new Slots(setup.concurrency());
        this.lingering = new Lingering(
                setup.environment(), turns.values(), setup.limits().workers().completionWaits());
        this.alarms = new Alarms(setup.environment());
        this.abandoned = new AbandonedThreads(setup.concurrency(), log);
        this.turnThreads = new TurnThreads(
                setup.environment(), log, setup.limits().workers().spareThreads());
        StoreHealth health = new StoreHealth(setup.limits(), setup.environment().nanoTime());
        this.extender = new Extender(setup, turns.values(), health);
        this.claimer = new Claimer(setup, slots, health, new Listener(), this::goOn);
        this.emptied = setup.environment().bell();
        Environment environment = setup.environment();
        threads.add(environment.startApart("perdure-leases", extender));
        threads.add(environment.startApart("perdure-lingering", lingering));
        threads.add(environment.startApart("perdure-timeouts", alarms));
        threads.add(environment.startApart("perdure-turns", turnThreads));
        claiming = environment.startApart("perdure-claims", claimer);
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
        if (setup.environment().nanoTime() - confirmedNanos
                >= setup.limits().runs().lease().toNanos()) {
            // It waited for a thread until its lease was over: a claim has it, or will.
            giveBack();
            follower.left();
            return;
        }
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
            begin(run, Gate.OPEN, turn);
        } catch (RuntimeException | Error e) {
            turns.remove(run, turn);
            throw e;
        }
    }

    /**
     * Starts a thread of a run, which runs the task once the gate is open. If this throws, nothing runs the task.
     *
     * @param task is run once, on a thread of its own
     */
    public void begin(RunId run, Gate gate, Runnable task) {
        turnThreads.start("perdure-run-" + run, gate, task);
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
            // A turn that ended its run itself is behind its code. Hints can be wrong: the store says who has lost.
            if (turn != null && turn.isInCode() && !turn.holding().isLost()) {
                extender.lookNow();
            }
        }
    }

    /** Whether a run is worked on now. */
    public boolean isWorkingOn(RunId run) {
        Turn turn = turns.get(run);
        return turn != null && !turn.isAbandoned();
    }

    /** How many runs are worked on now; not those whose threads are abandoned. */
    public int working() {
        return abandoned.count() == 0
                ? turns.size()
                : (int) turns.values().stream()
                        .filter(turn -> !turn.isAbandoned())
                        .count();
    }

    /** How many threads go on with code of runs that were cancelled or lost, though they were interrupted and their slots given back. */
    public int abandonedThreads() {
        return abandoned.count();
    }

    /** Claims no more, and lets every run go on to its next step and let go there; does not wait for them. */
    public void leave() {
        // Converted, not toNanos(): centuries must not overflow.
        leaveBy(setup.environment().nanoTime()
                + TimeUnit.NANOSECONDS.convert(setup.limits().workers().drain()));
    }

    /**
     * Claims no more, and lets every run go on to its next step and let go there; does not wait for them.
     *
     * @param untilNanos when steps that still run are interrupted, by the environment's nanoseconds; what was said first counts
     */
    public void leaveBy(long untilNanos) {
        if (leaving.compareAndSet(false, true)) {
            drainedBy = untilNanos;
            draining = true;
            // Not left to close(): whoever closes may wait for others first, whom these steps hold up.
            alarms.in(Duration.ofNanos(untilNanos - setup.environment().nanoTime()), this::interruptSteps);
        }
        claimer.close();
    }

    /** Once: what a step does when it is interrupted is not to be interrupted again. */
    private void interruptSteps() {
        if (stepsInterrupted.compareAndSet(false, true)) {
            turns.values().forEach(Turn::interruptStep);
        }
    }

    /**
     * Leaves, and interrupts steps that still run when the time to drain is over, which began when it was first told to leave. Returns when all
     * have let go, or shortly after interrupting those that do not.
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
            if (!awaitEmpty(drainedBy)) {
                interruptSteps();
                // Not from now on: workers that are closed one after another have one drain, and one grace, together.
                awaitEmpty(drainedBy + GRACE.toNanos());
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
        turnThreads.close();
        joinThreads();
        // Whoever waits for a run that would not let go need not wait any longer.
        turns.values().forEach(Turn::abandon);
    }

    /** Waits until every run has let go, also those that are about to begin. */
    private boolean awaitEmpty(long deadline) throws InterruptedException {
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

    AbandonedThreads abandoned() {
        return abandoned;
    }
}
