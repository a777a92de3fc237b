package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.retry.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a StepFlow in one turn. That an attempt begins is recorded first, in one commit with what the step before returned: whoever
 * records it under the next number has claimed the step, and everybody can see how long it may take and what follows if it takes longer.
 */
final class FlowTurn implements FlowPerformer {
    private final Environment environment;
    private final Tenure tenure;
    private final Journal journal;
    private final Pauses pauses;
    private final Attempts attempts;
    private final Runnable progressed;
    private @Nullable Duration retryIn;

    /**
     * Makes the attempts of one turn.
     *
     * @param progressed is told of each step that has returned
     */
    FlowTurn(
            Environment environment,
            Tenure tenure,
            Journal journal,
            Pauses pauses,
            Attempts attempts,
            Runnable progressed) {
        this.environment = environment;
        this.tenure = tenure;
        this.journal = journal;
        this.pauses = pauses;
        this.attempts = attempts;
        this.progressed = progressed;
    }

    @Override
    public Event attempt(Try made, Retry retry, FlowStep code) {
        return attempts.onExecutor(made.step(), retry, () -> claimAndAttempt(made, retry, code));
    }

    /** On the thread that runs the step: an attempt that waits for a busy executor is not claimed, and its timeout does not run. */
    private Event claimAndAttempt(Try made, Retry retry, FlowStep code) {
        StepName step = made.step();
        int number = made.number();
        tenure.require();
        Duration timeout = Objects.requireNonNull(retry.timeout(), "a StepFlow's step has a timeout");
        retryIn = retry.after(number, environment.random()).orElse(null);
        journal.commit(List.of(new Draft(new Event.StepStarted(step, number, retryIn), Due.in(timeout))), null);
        // The commit may have taken its time.
        tenure.require();
        Instant startedAt = environment.clock().instant();
        Attempts.Result result = attempts.attempt(
                made, startedAt, retry, () -> code.run(Objects.requireNonNull(attempts.underWay()), startedAt));
        Throwable error = result.error();
        if (error != null) {
            attempts.requireOurs(result);
            boolean retryable = retry.mayMend(error);
            Failure reason = attempts.reason(number, result, retry, !retryable || retryIn == null);
            return new Event.StepFailed(step, number, reason, retryable, startedAt);
        }
        Event.StepCompleted done =
                (Event.StepCompleted) Objects.requireNonNull(result.value(), "a step's code answers its completion");
        Draft draft = new Draft(done);
        if (done.next() != null) {
            journal.add(draft);
            progressed.run();
        }
        // The last one is committed with the run's end, and with nothing else before.
        return done;
    }

    @Override
    public Instant retryLater(Event.StepFailed failed) {
        Duration delay = Objects.requireNonNull(retryIn, "an attempt follows");
        attempts.logRetry(failed, delay);
        if (pauses.isLong(delay)) {
            throw new Suspension(new Command.RetryLater(failed, delay));
        }
        Recorded recorded =
                journal.commit(List.of(new Draft(failed, Due.in(delay))), null).getLast();
        pauses.rest(delay);
        return Pauses.endOf(recorded);
    }

    @Override
    public void rest(Instant until) {
        pauses.rest(until);
    }
}
