package io.perdure.sdk.worker;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How long one turn may go on: while the run is the worker's own, within its deadline, and until it has had its turn. */
final class Tenure {
    private final Worker worker;
    private final Assignment assignment;
    private final Environment environment;
    private final Limits.Workers limits;
    private final Holding holding;
    private final long begunNanos;
    /** Whether a step, sleep or wait was done in this turn. */
    private boolean progressed;

    Tenure(Worker worker, Assignment assignment, long confirmedNanos) {
        this.worker = worker;
        this.assignment = assignment;
        this.environment = worker.environment();
        this.limits = worker.limits().workers();
        this.begunNanos = environment.nanoTime();
        this.holding = new Holding(environment, limits.stepStartsWithin(), assignment.held(), confirmedNanos);
    }

    Holding holding() {
        return holding;
    }

    void progressed() {
        progressed = true;
    }

    /** Returns where something may begin; else the turn ends with what is to be done instead. */
    void require() {
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

    boolean isPastDeadline() {
        Instant deadline = assignment.deadline();
        return deadline != null && !now().isBefore(deadline);
    }

    Command pastDeadline() {
        return new Command.Cancel("The deadline %s has passed.".formatted(assignment.deadline()));
    }

    /** How long an attempt may take: as its policy says, and not beyond the run's deadline. */
    @Nullable
    Duration atMost(@Nullable Duration timeout) {
        Instant deadline = assignment.deadline();
        if (deadline == null) {
            return timeout;
        }
        Duration left = Duration.between(now(), deadline);
        return timeout != null && timeout.compareTo(left) < 0 ? timeout : left;
    }

    /** When a run is due that was let go of until then: at its deadline, if that is earlier. */
    Instant dueBy(Instant until) {
        Instant deadline = assignment.deadline();
        return deadline != null && deadline.isBefore(until) ? deadline : until;
    }

    /** The store's time, as far as can be told without asking. */
    Instant now() {
        return assignment.at().plusNanos(environment.nanoTime() - begunNanos);
    }
}
