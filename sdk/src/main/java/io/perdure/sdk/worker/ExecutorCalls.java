package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.id.StepName;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the attempts of one turn on executors of the user; the turn's thread waits meanwhile. A call that waits for a thread of a busy executor is
 * given up when the turn may not begin it any more (its run was taken away, is past its deadline or has had its turn, or the worker closes), and when the
 * executor was shut down. A call that
 * has begun is waited for, however long it takes to heed an interrupt: the next attempt must not run beside it.
 */
final class ExecutorCalls {
    /** How long a run is let go of whose executor takes no more tasks. */
    private static final Duration STAY_AWAY = Duration.ofSeconds(1);

    /** How often a call that has not begun looks whether it may. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    /** A call that has begun ends by itself. */
    private static final Duration LONG = Duration.ofDays(1);

    private final Worker worker;
    private final Assignment assignment;
    private final Tenure tenure;
    private volatile @Nullable Task<?> current;

    ExecutorCalls(Worker worker, Assignment assignment, Tenure tenure) {
        this.worker = worker;
        this.assignment = assignment;
        this.tenure = tenure;
    }

    /** Has a call that has not begun look whether it still may. */
    void wake() {
        Task<?> task = current;
        if (task != null) {
            task.bell.ring();
        }
    }

    /** Makes the call on the executor, and returns or throws what it does. */
    <T> T call(StepName step, Executor executor, Supplier<T> call) {
        Task<T> task = new Task<>(call);
        current = task;
        try {
            hand(step, executor, task);
            return task.result(step, executor);
        } finally {
            current = null;
        }
    }

    private void hand(StepName step, Executor executor, Task<?> task) {
        try {
            executor.execute(task);
        } catch (RuntimeException | Error e) {
            // Its queue is full, it is shut down, or there is no memory for a thread. Another process may have room for
            // the step.
            if (task.giveUp()) {
                throw released(step, "does not take it", e.toString());
            }
        }
    }

    private Suspension released(StepName step, String what, String why) {
        worker.log.log(
                System.Logger.Level.WARNING,
                () -> "The executor of step \"" + step + "\" of run "
                        + assignment.held().run() + " " + what + "; the run is released for "
                        + STAY_AWAY.toSeconds() + " s. " + why);
        return new Suspension(new Command.Rest(tenure.now().plus(STAY_AWAY)));
    }

    private enum State {
        QUEUED,
        BEGUN,
        ENDED,
        GIVEN_UP
    }

    private final class Task<T> implements Runnable {
        private final Supplier<T> call;
        private final Thread turn = Thread.currentThread();
        private final Bell bell = worker.environment().bell();
        private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
        private @Nullable T value;
        private @Nullable Throwable thrown;

        Task(Supplier<T> call) {
            this.call = call;
        }

        /** Whether it has not begun, and will not. */
        boolean giveUp() {
            return state.compareAndSet(State.QUEUED, State.GIVEN_UP);
        }

        @Override
        public void run() {
            if (!state.compareAndSet(State.QUEUED, State.BEGUN)) {
                return;
            }
            // An executor may run its tasks on the thread that hands them over, which is in the run already.
            boolean elsewhere = !Thread.currentThread().equals(turn);
            try {
                if (elsewhere) {
                    worker.surroundings().enterRun(assignment);
                }
                value = call.get();
            } catch (RuntimeException | Error e) {
                thrown = e;
            } finally {
                state.set(State.ENDED);
                bell.ring();
                if (elsewhere) {
                    worker.surroundings().leaveRun();
                }
            }
        }

        T result(StepName step, Executor executor) {
            while (state.get() != State.ENDED) {
                requireMayBegin();
                requireNotShutDown(step, executor);
                try {
                    bell.await(state.get() == State.QUEUED ? LOOK_EVERY : LONG);
                } catch (InterruptedException _) {
                    // The code left the flag set, or a stranger interrupted us: neither is meant for the step.
                }
            }
            rethrow(thrown);
            return Objects.requireNonNull(value, "an attempt comes to something");
        }

        private void requireMayBegin() {
            if (state.get() == State.QUEUED) {
                try {
                    tenure.require();
                } catch (Suspension e) {
                    if (giveUp()) {
                        throw e;
                    }
                }
            }
        }

        /** An executor that was shut down may have dropped the tasks in its queue without a word. */
        private void requireNotShutDown(StepName step, Executor executor) {
            if (state.get() == State.QUEUED
                    && executor instanceof ExecutorService service
                    && service.isShutdown()
                    && giveUp()) {
                throw released(step, "was shut down before it began", executor.toString());
            }
        }
    }

    private static void rethrow(@Nullable Throwable thrown) {
        switch (thrown) {
            case null -> {}
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new IllegalStateException(thrown);
        }
    }
}
