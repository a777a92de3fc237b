package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RecordedException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.worker.FlowPerformer.Try;
import io.perdure.sdk.workflow.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one turn: tries each as its policy says, on the turn's own thread or on the policy's executor. An attempt is interrupted when it takes too long,
 * when the run's deadline passes, when the run is taken away, and at the end of the drain.
 */
final class Attempts {
    private final Worker worker;
    private final RunId run;
    private final TraceContext trace;
    private final Environment environment;
    private final Tenure tenure;
    private final Journal journal;
    private final Pauses pauses;
    private final StepThread stepThread = new StepThread();
    private final ExecutorCalls calls;
    private final StackTraceBudget stackTraces;
    private volatile @Nullable Attempt underWay;

    Attempts(Worker worker, Assignment assignment, Tenure tenure, Journal journal, Pauses pauses) {
        this.worker = worker;
        this.run = assignment.held().run();
        this.trace = TraceContext.ofRun(run, assignment.created().tags());
        this.environment = worker.environment();
        this.tenure = tenure;
        this.journal = journal;
        this.pauses = pauses;
        this.calls = new ExecutorCalls(worker, assignment, tenure);
        this.stackTraces = new StackTraceBudget(assignment.history());
    }

    /** The attempt that is under way, if one is. */
    @Nullable
    Attempt underWay() {
        return underWay;
    }

    /** Interrupts the current attempt, if any. One that waits for its executor looks whether it may still begin. */
    void interrupt() {
        stepThread.interrupt();
        calls.wake();
    }

    /** Makes a call on the executor of the policy, if it has one, and on this thread otherwise. */
    <T> T onExecutor(StepName step, Retry retry, Supplier<T> call) {
        Executor executor = retry.executor();
        return executor == null ? call.get() : calls.call(step, executor, call);
    }

    /** Tries a step from this attempt on until it returns; answers its output, which is yet to be made durable. */
    @Nullable
    Json run(StepName step, int first, Retry retry, Performer.Work work) {
        for (int number = first; ; number++) {
            Try made = new Try(step, number, 1);
            Started started = onExecutor(step, retry, () -> attempt(made, retry, work.code()));
            Result result = started.result();
            Throwable error = result.error();
            if (error == null) {
                Json output = work.writer().write(result.value());
                journal.add(new Draft(new Event.StepCompleted(step, number, output, Map.of(), null, started.at())));
                return output;
            }
            failed(new Failed(step, number, started.at(), error), retry, result);
        }
    }

    /** What an attempt came to that started then. */
    private record Started(Instant at, Result result) {}

    /** Makes one attempt, on this thread, once what came before is durable and the lease is known to be held. */
    private Started attempt(Try made, Retry retry, Performer.Code code) {
        journal.commit();
        tenure.require();
        Instant startedAt = environment.clock().instant();
        return new Started(startedAt, attempt(made, startedAt, retry, code));
    }

    /**
     * What an attempt came to.
     *
     * @param interrupted whether it was interrupted by us
     */
    record Result(@Nullable Object value, @Nullable Throwable error, boolean interrupted) {}

    /** Makes one attempt, on this thread. */
    Result attempt(Try made, Instant startedAt, Retry retry, Performer.Code code) {
        Attempt attempt = new Attempt(
                run, made.step(), made.number(), made.visit(), trace.ofStep(made.step(), made.number(), startedAt));
        underWay = attempt;
        long under = stepThread.begin();
        requireHeld();
        Duration most = tenure.atMost(retry.timeout());
        Runnable calledOff = most == null ? () -> {} : worker.alarms().in(most, () -> stepThread.interrupt(under));
        Object value = null;
        Throwable error = null;
        boolean interrupted;
        try {
            underWay = attempt.in(worker.surroundings().enterStep(attempt));
            value = code.run();
        } catch (Suspension e) {
            throw e;
        } catch (Throwable e) {
            // A step that fails, however it does, is tried again as its policy says.
            error = e;
        } finally {
            calledOff.run();
            underWay = null;
            interrupted = stepThread.end();
            worker.surroundings().leaveStep(error);
        }
        return new Result(value, error, interrupted);
    }

    /**
     * Ends the attempt before its code runs where the run was taken away since the last look: whoever did that found nobody to interrupt. Who
     * comes after this look does.
     */
    private void requireHeld() {
        if (tenure.holding().isLost()) {
            underWay = null;
            stepThread.end();
            throw lost();
        }
    }

    private static Suspension lost() {
        return new Suspension(new Command.Drop("the lease is gone"));
    }

    /** Returns where an attempt has failed by itself; not where it was stopped because it is not ours any more, or not now. */
    void requireOurs(Result result) {
        if (tenure.holding().isLost()) {
            throw lost();
        }
        if (tenure.isPastDeadline()) {
            throw new Suspension(tenure.pastDeadline());
        }
        if (result.interrupted() && worker.isDraining()) {
            // We stopped it, so it did not fail.
            throw new Suspension(new Command.Yield());
        }
    }

    /**
     * Returns why an attempt has failed, as it is recorded.
     *
     * @param last whether no attempt follows
     */
    Failure reason(int number, Result result, Retry retry, boolean last) {
        Throwable error = Objects.requireNonNull(result.error(), "the attempt has failed");
        Duration timeout = retry.timeout();
        int stackTraceBytes = stackTraces.most(number, last);
        Failure reason = result.interrupted() && timeout != null
                ? Failure.timeout("The attempt was interrupted after %s.".formatted(timeout), error, stackTraceBytes)
                : Failure.of(error, stackTraceBytes);
        stackTraces.add(reason);
        return reason;
    }

    /** Logs an attempt that failed and is made again. The line leaves out the error's message, which may contain data of users. */
    void logRetry(Event.StepFailed failed, Duration delay) {
        worker.retries.logWith(
                System.Logger.Level.WARNING,
                () -> "Step \"%s\" of run %s failed at attempt %s: %s; the next attempt is in %s."
                        .formatted(
                                failed.step(),
                                run,
                                failed.attempt(),
                                failed.reason().type(),
                                delay),
                () -> RecordedException.withoutMessages(failed.reason()));
    }

    /** An attempt that threw. */
    private record Failed(StepName step, int number, Instant startedAt, Throwable error) {}

    /** Returns where the next attempt is to begin now. */
    private void failed(Failed attempt, Retry retry, Result result) {
        requireOurs(result);
        Optional<Duration> delay =
                retry.mayMend(attempt.error()) ? retry.after(attempt.number(), environment.random()) : Optional.empty();
        Failure reason = reason(attempt.number(), result, retry, delay.isEmpty());
        Event.StepFailed failed =
                new Event.StepFailed(attempt.step(), attempt.number(), reason, delay.isPresent(), attempt.startedAt());
        if (delay.isEmpty()) {
            throw new Suspension(new Command.Fail(failed, reason));
        }
        logRetry(failed, delay.get());
        if (pauses.isLong(delay.get())) {
            throw new Suspension(new Command.RetryLater(failed, delay.get()));
        }
        journal.commit(List.of(new Draft(failed, Due.in(delay.get()))), null);
        pauses.rest(delay.get());
    }
}
