package io.perdure.sdk.worker;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One run in one worker, from the claim to letting go: runs the code, does the steps it asks for, and performs the command that it
 * ends with. Everything happens on the turn's own virtual thread.
 */
final class Turn implements Runnable, Performer {
    private static final System.Logger LOG = System.getLogger(Turn.class.getPackageName());
    private static final String ENGINE = "perdure";

    private final Worker worker;
    private final Workflow<?, ?> workflow;
    private final Assignment assignment;
    private final Follower follower;
    private final Environment environment;
    private final Limits.Workers limits;
    private final Holding holding;
    private final Journal journal;
    private final StepThread stepThread = new StepThread();
    private final long begunNanos;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Attempt attempt;
    private @Nullable Turn before;
    /** Whether a step or sleep was done in this turn. */
    private boolean progressed;

    Turn(Worker worker, Workflow<?, ?> workflow, Assignment assignment, long confirmedNanos, Follower follower) {
        this.worker = worker;
        this.workflow = workflow;
        this.assignment = assignment;
        this.follower = follower;
        this.environment = worker.environment();
        this.limits = worker.limits().workers();
        this.begunNanos = environment.nanoTime();
        this.holding = new Holding(environment, limits.stepStartsWithin(), assignment.held(), confirmedNanos);
        this.journal = new Journal(worker.backend(), environment, assignment);
    }

    Holding holding() {
        return holding;
    }

    Journal journal() {
        return journal;
    }

    /** Begins only once an earlier turn of the same run has ended here: its step may still be at work. */
    void after(Turn earlier) {
        before = earlier;
    }

    /** The run was taken away: whatever its step is doing is for nothing. */
    void lose() {
        holding.lose();
        stepThread.interrupt();
    }

    void interruptStep() {
        stepThread.interrupt();
    }

    /** The worker is closed, and does not see to this any more. */
    void abandon() {
        follower.left();
    }

    @Override
    public void run() {
        boolean told = false;
        try {
            worker.surroundings().enterRun(assignment.held().run(), workflow.name());
            awaitEarlierTurn();
            told = end(decide());
        } catch (Suspension e) {
            // The commit that was to end the turn lost against somebody else's.
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "Run {0} was lost: {1}",
                    assignment.held().run(),
                    e.command());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "Run " + assignment.held().run() + " was dropped by a fault, and goes on once its lease has ended.",
                    e);
        } finally {
            over.countDown();
            worker.ended(this);
            if (!told) {
                follower.left();
            }
            worker.surroundings().leaveRun();
        }
    }

    private void awaitEarlierTurn() throws InterruptedException {
        Turn earlier = before;
        if (earlier != null) {
            before = null;
            earlier.over.await();
        }
    }

    private Command decide() {
        int most = worker.limits().runs().lapsesBeforeParking();
        if (assignment.lapses() >= most) {
            return new Command.Park(
                    "lapsed",
                    assignment.lapses()
                            + " leases in a row ran out without progress: the process dies or hangs in what comes next.");
        }
        if (isPastDeadline()) {
            return pastDeadline();
        }
        return Replayer.play(workflow, worker.codec(), assignment, this);
    }

    /** Does what the code ended with, or parks the run where the store does not take that. */
    private boolean end(Command command) {
        try {
            return perform(command);
        } catch (Suspension e) {
            if (command instanceof Command.Park || !(e.command() instanceof Command.Park)) {
                throw e;
            }
            return perform(e.command());
        }
    }

    /** Does what the code ended with; answers whether the follower was told the end. */
    private boolean perform(Command command) {
        switch (command) {
            case Command.Complete(Json result) -> {
                journal.commit(List.of(new Draft(new Event.RunCompleted(result))), null);
                follower.ended(RunStatus.COMPLETED, result, null);
                return true;
            }
            case Command.Fail(var step, Failure reason) -> {
                if (step != null) {
                    journal.add(new Draft(step));
                }
                journal.commit(List.of(new Draft(new Event.RunFailed(reason))), null);
                follower.ended(RunStatus.FAILED, null, reason);
                return true;
            }
            case Command.Cancel(String reason) -> {
                journal.commit(List.of(new Draft(new Event.RunCancelled(ENGINE, reason))), null);
                follower.ended(RunStatus.CANCELLED, null, new Failure("cancelled", reason, null));
                return true;
            }
            case Command.Park park -> park(park);
            case Command.Sleep(StepName name, Due until) ->
                letGo(new Draft(new Event.SleepStarted(name), until), until);
            case Command.RetryLater(Event.StepFailed failed, Duration delay) ->
                letGo(new Draft(failed, Due.in(delay)), Due.in(delay));
            case Command.Rest(Instant until) -> {
                journal.commit(List.of(), Release.until(Due.at(until)));
                noteDue(storeNow(), until);
            }
            case Command.Yield() -> journal.commit(List.of(), Release.until(Due.atOnce()));
            case Command.Drop(String why) ->
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "Run {0} was lost: {1}",
                        assignment.held().run(),
                        why);
            case Command.RunStep _ -> throw new IllegalStateException("a worker runs steps itself: " + command);
        }
        return false;
    }

    private void letGo(Draft draft, Due until) {
        Recorded delayed = journal.commit(List.of(draft), Release.until(until)).getLast();
        noteDue(delayed.at(), endOf(delayed));
    }

    /** The run becomes due then, or at its deadline if that is earlier. */
    private void noteDue(Instant now, Instant until) {
        Instant deadline = assignment.deadline();
        Instant due = deadline != null && deadline.isBefore(until) ? deadline : until;
        worker.dueIn(Duration.between(now, due));
    }

    private static Instant endOf(Recorded delayed) {
        return Objects.requireNonNull(delayed.until(), "a delay has an end");
    }

    private void park(Command.Park park) {
        LOG.log(
                System.Logger.Level.WARNING,
                "Run " + assignment.held().run() + " of " + workflow + " is parked. " + park.detail());
        List<Draft> parked = List.of(new Draft(new Event.RunParked(park.reason(), park.detail())));
        try {
            journal.commit(parked, null);
        } catch (Suspension e) {
            if (!(e.command() instanceof Command.Park)) {
                throw e;
            }
            // What the store does not take is not taken together with this either.
            journal.discard();
            journal.commit(parked, null);
        }
    }

    @Override
    public @Nullable Json step(StepName step, int first, Retry retry, Work work) {
        for (int number = first; ; number++) {
            journal.commit();
            requireTurn();
            Instant startedAt = environment.clock().instant();
            Result result = attempt(step, number, retry, work.code());
            Throwable error = result.error();
            if (error == null) {
                Json output = work.writer().write(result.value());
                journal.add(new Draft(new Event.StepCompleted(step, number, output, Map.of(), null, startedAt)));
                worker.lingering().begun();
                progressed = true;
                return output;
            }
            failed(step, number, retry, result, error);
        }
    }

    /** What an attempt came to. */
    private record Result(@Nullable Object value, @Nullable Throwable error, boolean interrupted) {}

    private Result attempt(StepName step, int number, Retry retry, Code code) {
        attempt = new Attempt(assignment.held().run(), step, number);
        long under = stepThread.begin();
        Duration timeout = retry.timeout();
        Runnable calledOff =
                timeout == null ? () -> {} : worker.alarms().in(timeout, () -> stepThread.interrupt(under));
        Object value = null;
        Throwable error = null;
        boolean interrupted;
        try {
            worker.surroundings().enterStep(step, number);
            value = code.run();
        } catch (Suspension e) {
            throw e;
        } catch (Throwable e) {
            // A step that fails, however it does, is tried again as its policy says.
            error = e;
        } finally {
            calledOff.run();
            attempt = null;
            interrupted = stepThread.end();
            worker.surroundings().leaveStep();
        }
        return new Result(value, error, interrupted);
    }

    /** Returns where the next attempt is to begin now. */
    private void failed(StepName step, int number, Retry retry, Result result, Throwable error) {
        if (holding.isLost()) {
            throw new Suspension(new Command.Drop("the lease is gone"));
        }
        if (result.interrupted() && worker.isDraining()) {
            // We stopped it, so it did not fail.
            throw new Suspension(new Command.Yield());
        }
        Duration timeout = retry.timeout();
        Failure reason = result.interrupted() && timeout != null
                ? new Failure("timeout", "The attempt was interrupted after %s.".formatted(timeout), Failure.of(error))
                : Failure.of(error);
        Optional<Duration> delay = retry.mayMend(error) ? retry.after(number, environment.random()) : Optional.empty();
        Event.StepFailed failed = new Event.StepFailed(step, number, reason, delay.isPresent());
        if (delay.isEmpty()) {
            throw new Suspension(new Command.Fail(failed, reason));
        }
        if (delay.get().compareTo(limits.waitInMemory()) > 0) {
            throw new Suspension(new Command.RetryLater(failed, delay.get()));
        }
        waitFor(journal.commit(List.of(new Draft(failed, Due.in(delay.get()))), null)
                .getLast());
    }

    @Override
    public Instant sleep(StepName name, Due until) {
        requireTurn();
        if (expected(until).compareTo(limits.waitInMemory()) > 0) {
            throw new Suspension(new Command.Sleep(name, until));
        }
        Recorded begun = journal.commit(List.of(new Draft(new Event.SleepStarted(name), until)), null)
                .getLast();
        waitFor(begun);
        progressed = true;
        return Recall.endOf(begun);
    }

    private Duration expected(Due until) {
        return switch (until) {
            case Due.In(Duration delay) -> delay;
            case Due.At(Instant time) -> Duration.between(storeNow(), time);
            case Due.Never() -> throw new IllegalStateException("a sleep has an end");
        };
    }

    @Override
    public void rest(Instant until) {
        Duration left = Duration.between(storeNow(), until);
        if (left.compareTo(limits.waitInMemory()) > 0) {
            throw new Suspension(new Command.Rest(until));
        }
        waitFor(left);
    }

    /** Waits here for a delay that the store has fixed; lets go where it turns out to be long. */
    private void waitFor(Recorded delayed) {
        Duration left = Duration.between(delayed.at(), endOf(delayed));
        if (left.compareTo(limits.waitInMemory()) > 0) {
            throw new Suspension(new Command.Rest(endOf(delayed)));
        }
        waitFor(left);
    }

    private void waitFor(Duration left) {
        if (left.isPositive()) {
            // The code may have left the flag set; it is not meant for us, and would end every wait at once.
            Thread.interrupted();
            try {
                environment.sleep(left);
            } catch (InterruptedException e) {
                throw new Suspension(new Command.Yield());
            }
        }
    }

    @Override
    public Instant lastEvent() {
        journal.commit();
        return journal.latest();
    }

    @Override
    public @Nullable Attempt attempt() {
        return attempt;
    }

    /** Goes on only while the run is ours, within its deadline, and has not had its turn. */
    private void requireTurn() {
        try {
            if (!holding.awaitFresh()) {
                throw new Suspension(new Command.Drop("the lease is gone"));
            }
        } catch (InterruptedException e) {
            throw new Suspension(new Command.Yield());
        }
        if (isPastDeadline()) {
            throw new Suspension(pastDeadline());
        }
        // A turn gets somewhere before it is over, however long the code takes between its calls.
        boolean over = progressed
                && environment.nanoTime() - begunNanos > limits.turn().toNanos();
        if (worker.isDraining() || over) {
            throw new Suspension(new Command.Yield());
        }
    }

    private boolean isPastDeadline() {
        Instant deadline = assignment.deadline();
        return deadline != null && !storeNow().isBefore(deadline);
    }

    private Command pastDeadline() {
        return new Command.Cancel("The deadline %s has passed.".formatted(assignment.deadline()));
    }

    /** The store's time, as far as can be told without asking. */
    private Instant storeNow() {
        return assignment.at().plusNanos(environment.nanoTime() - begunNanos);
    }
}
