package io.perdure.sdk.worker;

import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run in one worker, from the claim to letting go: runs the code, does the steps it asks for, and performs the command that it
 * ends with. Everything happens on one thread: a virtual one, or one of the
 * operating system where virtual ones are held up ({@link TurnThreads}).
 */
final class Turn implements Runnable, Performer {
    /** How long an earlier turn of the same run may take to end. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    /** How long the run is let go of where it does not. */
    private static final Duration STAY_AWAY = Duration.ofSeconds(5);

    private final Worker worker;
    private final WorkflowDefinition workflow;
    private final Assignment assignment;
    private final Follower follower;
    private final Tenure tenure;
    private final Journal journal;
    private final Waits waits;
    private final Pauses pauses;
    private final Attempts attempts;
    private final Closing closing;
    private final Eviction eviction;
    private volatile boolean over;
    private volatile @Nullable Turn before;

    Turn(Worker worker, WorkflowDefinition workflow, Assignment assignment, long confirmedNanos, Follower follower) {
        this.worker = worker;
        this.workflow = workflow;
        this.assignment = assignment;
        this.follower = follower;
        this.tenure = new Tenure(worker, assignment, confirmedNanos);
        this.journal = new Journal(worker.backend(), worker.environment(), worker.log, assignment);
        this.waits = new Waits(worker.backend(), worker.log, assignment, journal);
        this.pauses = new Pauses(worker, tenure);
        this.attempts = new Attempts(worker, assignment, tenure, journal, pauses);
        this.closing = new Closing(worker, workflow, assignment, follower, tenure, journal, waits);
        this.eviction = new Eviction(worker, assignment.held(), follower);
    }

    Holding holding() {
        return tenure.holding();
    }

    Journal journal() {
        return journal;
    }

    /** Begins only once an earlier turn of the same run has ended here: its step may still be at work. */
    void after(Turn earlier) {
        before = earlier;
    }

    /** The run was taken away: whatever its code is doing is for nothing. */
    void lose() {
        tenure.holding().lose();
        attempts.interrupt();
        eviction.order();
    }

    boolean isInCode() {
        return eviction.isInCode();
    }

    @Override
    public boolean isAbandoned() {
        return eviction.isAbandoned();
    }

    void interruptStep() {
        attempts.interrupt();
    }

    /** The worker is closed, and does not see to this any more. */
    void abandon() {
        follower.left();
    }

    @Override
    public void run() {
        boolean told = false;
        try {
            worker.surroundings().enterRun(assignment);
            told = closing.end(
                    isAlone()
                            ? inTime(decided())
                            : new Command.Rest(tenure.now().plus(STAY_AWAY)));
        } catch (Suspension e) {
            // The commit that was to end the turn lost against somebody else's.
            String why = e.command() instanceof Command.Drop(String reason)
                    ? reason
                    : e.command().getClass().getSimpleName();
            worker.log.log(
                    System.Logger.Level.INFO, () -> "Run " + assignment.held().run() + " was lost: " + why + ".");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            worker.log.log(
                    System.Logger.Level.ERROR,
                    () -> "Run " + assignment.held().run()
                            + " was dropped by a fault, and goes on once its lease has ended.",
                    e);
        } finally {
            over = true;
            worker.ended(this);
            eviction.end();
            if (!told) {
                follower.left();
            }
            worker.surroundings().leaveRun();
        }
    }

    /**
     * Whether an earlier turn of this run has ended here, which is given a moment for it. One that hangs in its step, and heeds no interrupt, keeps
     * this one from beginning; the run is let go of, so that another process may take it.
     */
    private boolean isAlone() throws InterruptedException {
        long deadline = worker.environment().nanoTime() + MOMENT.toNanos();
        while (earlier() != null) {
            if (worker.environment().nanoTime() > deadline) {
                return false;
            }
            worker.environment().sleep(LOOK_EVERY);
        }
        return true;
    }

    /** The turn before this one, while it has not ended. */
    @Nullable
    Turn earlier() {
        Turn earlier = before;
        // One that never began its code waits for another one itself, and one that was abandoned begins no step.
        while (earlier != null && earlier.hasLeft()) {
            earlier = earlier.before;
        }
        before = earlier;
        return earlier;
    }

    private boolean hasLeft() {
        return over || (eviction.isAbandoned() && attempts.underWay() == null);
    }

    private Command decided() {
        Command command;
        boolean cut;
        eviction.enterCode();
        try {
            command = decide();
        } finally {
            cut = eviction.leaveCode();
        }
        // Whatever it is, it came of our interrupt, and must not be recorded as the run's own.
        return cut ? new Command.Drop("the lease is gone") : command;
    }

    private Command decide() {
        int lapses = lapses();
        if (lapses >= worker.limits().runs().lapsesBeforeParking()) {
            return new Command.Park("lapsed", lapsed(lapses));
        }
        if (tenure.isPastDeadline()) {
            return tenure.pastDeadline();
        }
        FlowTurn flow = new FlowTurn(worker.environment(), tenure, journal, pauses, attempts, this::progressed);
        return Replayer.play(workflow, worker.codec(), assignment, this, flow);
    }

    /**
     * Leases in a row that ran out without progress. That a StepFlow begins an attempt is an event, but no progress: what kills its process
     * does so after it.
     */
    private int lapses() {
        int begun = 0;
        for (Recorded recorded : assignment.history().reversed()) {
            if (!(recorded.event() instanceof Event.StepStarted)) {
                break;
            }
            begun++;
        }
        return assignment.lapses() == 0 ? 0 : Math.max(assignment.lapses(), begun);
    }

    private String lapsed(int lapses) {
        Recorded last = assignment.history().getLast();
        return lapses + " leases in a row ran out without progress after event " + last.seq() + ", "
                + last.event().title() + ": the process dies or hangs in what comes next.";
    }

    /** A result that comes after the deadline comes too late, and so does a failure. That its last step completed is recorded all the same. */
    private Command inTime(Command command) {
        boolean ends = command instanceof Command.Complete
                || command instanceof Command.Finish
                || command instanceof Command.Fail;
        if (!ends || !tenure.isPastDeadline()) {
            return command;
        }
        if (command instanceof Command.Finish(Event.StepCompleted step)) {
            journal.add(new Draft(step));
        }
        return tenure.pastDeadline();
    }

    @Override
    public @Nullable Json step(StepName step, int first, Retry retry, Work work) {
        Json output = attempts.run(step, first, retry, work);
        progressed();
        return output;
    }

    /** What was gathered goes into one commit with what follows, or alone where that takes its time. */
    private void progressed() {
        worker.lingering().begun();
        tenure.progressed();
    }

    @Override
    public Instant sleep(StepName name, Due until) {
        tenure.require();
        if (pauses.isLong(expected(until))) {
            throw new Suspension(new Command.Sleep(name, until));
        }
        Recorded begun = journal.commit(List.of(new Draft(new Event.SleepStarted(name), until)), null)
                .getLast();
        if (until instanceof Due.In(Duration delay)) {
            pauses.rest(delay);
        } else {
            pauses.rest(begun, journal.mayBeHeld());
        }
        tenure.progressed();
        return Recall.endOf(begun);
    }

    private Duration expected(Due until) {
        return switch (until) {
            case Due.In(Duration delay) -> delay;
            case Due.At(Instant time) -> Duration.between(tenure.now(), time);
            case Due.Never() -> throw new IllegalStateException("a sleep has an end");
        };
    }

    @Override
    public void rest(Instant until) {
        pauses.rest(until);
    }

    @Override
    public Optional<Json> await(Wait wait, Due until) {
        tenure.require();
        return came(Optional.of(waits.begin(wait, until)));
    }

    @Override
    public Optional<Json> awaitOn(Wait wait, @Nullable Instant until) {
        return came(waits.goOn(wait, until));
    }

    private Optional<Json> came(Optional<Json> event) {
        progressed();
        return event;
    }

    @Override
    public Instant lastEvent() {
        journal.commit();
        return journal.latest();
    }

    @Override
    public @Nullable Attempt attempt() {
        return attempts.underWay();
    }
}
