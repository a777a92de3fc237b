package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.id.RunId;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What every call of a workflow's code goes through: is it allowed, and can the code go on? Once it cannot, or has made a mistake,
 * each later call says so again, and whatever the code ends with counts for nothing.
 */
final class Guard {
    private final RunId run;
    private final BooleanSupplier abandoned;
    private final Thread thread = Thread.currentThread();
    private volatile boolean ended;
    /** The thread that runs a step now: the code's own, or one of an executor. */
    private volatile @Nullable Thread stepThread;

    /** Why the code cannot go on. Once it is set every call says so. */
    private volatile @Nullable Suspension suspension;
    /** What the code did wrong, if it did; the first counts. */
    private volatile @Nullable PerdureException misuse;

    /**
     * Guards one replay.
     *
     * @param abandoned whether the code was given up, though it goes on
     */
    Guard(RunId run, BooleanSupplier abandoned) {
        this.run = run;
        this.abandoned = abandoned;
    }

    /** Makes a call of the code, if it may. */
    <T extends @Nullable Object> T called(Supplier<T> call) {
        requireUsable();
        Suspension before = suspension;
        if (before == null && abandoned.getAsBoolean()) {
            before = new Suspension(new Command.Drop("its thread was abandoned"));
            suspension = before;
        }
        if (before != null) {
            // Another one each time: a resource that is closed meanwhile may call too, and no error suppresses itself.
            throw new Suspension(before.command());
        }
        PerdureException mistake = misuse;
        if (mistake != null) {
            throw mistake;
        }
        try {
            return call.get();
        } catch (Suspension e) {
            suspension = e;
            throw e;
        } catch (WorkflowCodeException | InvalidValueException e) {
            throw misused(e);
        }
    }

    /** Runs a step's code. A mistake that it made is not for its policy to mend, nor for its code to hide. */
    @Nullable
    Object inStep(Performer.Code code) throws Exception {
        stepThread = Thread.currentThread();
        try {
            Object value = code.run();
            requireNoMistake();
            return value;
        } catch (Exception | Error e) {
            requireNoMistake();
            throw e;
        } finally {
            stepThread = null;
        }
    }

    private void requireNoMistake() {
        PerdureException mistake = misuse;
        if (mistake != null) {
            throw new Suspension(park(mistake));
        }
    }

    /** Throws {@code PD-504} once the code has ended. */
    void requireNotEnded() {
        if (ended) {
            throw new WorkflowCodeException(
                    ErrorCode.CONTEXT_ENDED, "The context of run %s was used after the code had ended.".formatted(run));
        }
    }

    private void requireUsable() {
        requireNotEnded();
        Thread caller = Thread.currentThread();
        if (caller.equals(stepThread)) {
            throw misused(new WorkflowCodeException(
                    ErrorCode.INSIDE_STEP, "The context of run %s was used inside a step.".formatted(run)));
        }
        if (!caller.equals(thread)) {
            throw misused(new WorkflowCodeException(
                    ErrorCode.WRONG_THREAD,
                    "The context of run %s was used by thread \"%s\".".formatted(run, caller.getName())));
        }
    }

    /** Notes a mistake, and answers it, to be thrown. */
    PerdureException misused(PerdureException mistake) {
        if (misuse == null) {
            misuse = mistake;
        }
        return mistake;
    }

    /** The code has ended. */
    void end() {
        ended = true;
    }

    /** What a mistake of the code leads to, if it made one. */
    @Nullable
    Command mistaken() {
        PerdureException mistake = misuse;
        return mistake == null ? null : park(mistake);
    }

    /** Where the code did what it must not, that comes before whatever it ended with. */
    @Nullable
    Command insteadOfEnding() {
        Command mistaken = mistaken();
        Suspension before = suspension;
        if (mistaken != null || before == null) {
            return mistaken;
        }
        return before.command() instanceof Command.Drop
                ? before.command()
                : park(new WorkflowCodeException(
                        ErrorCode.SUSPENSION_CAUGHT,
                        "The code of run %s caught the error by which it was suspended, and went on.".formatted(run)));
    }

    static Command park(PerdureException why) {
        return new Command.Park(why.code().code(), String.valueOf(why.getMessage()));
    }
}
