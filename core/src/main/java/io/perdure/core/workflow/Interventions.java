package io.perdure.core.workflow;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.AlreadyActiveException;
import io.perdure.sdk.workflow.UniqueConflictException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What is done to runs from outside: they are signalled, cancelled, and put back to work. */
final class Interventions {
    static final String USER = "user";
    static final String ENGINE = "perdure";

    private final Workflows.Setup setup;

    Interventions(Workflows.Setup setup) {
        this.setup = setup;
    }

    /**
     * Puts a signal into a run's mailbox; false where one with this deduplication id came before.
     *
     * @param passing to whom the run goes that waits for it, where this process works on runs
     */
    boolean signal(
            RunId run,
            EventName event,
            @Nullable Object payload,
            @Nullable DeduplicationId deduplicationId,
            @Nullable Passing passing) {
        if (event.isReserved()) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_NAME,
                    "Signal \"%s\" cannot be sent; names that start with __ are Perdure's own.".formatted(event));
        }
        Json json = setup.codec().write(payload, "The payload of signal \"%s\"".formatted(event));
        RunCommit signal = new RunCommit.Signal(setup.tenant(), run, event, json, deduplicationId);
        Ledger ledger = setup.ledger();
        Pending pending = passing == null ? ledger.hand(signal) : passing.hand(ledger, signal);
        return switch (pending.await()) {
            case Outcome.Signalled signalled -> signalled.created();
            case Outcome.Refused(var why, String detail) -> throw why.because(detail);
            case Outcome other -> throw unexpected(run, other);
        };
    }

    /** Cancels a run; false where it was cancelled before. */
    boolean cancel(RunId run, String reason) {
        Outcome outcome = hand(run, new Event.RunCancelled(USER, reason)).await();
        if (outcome instanceof Outcome.Refused refused && refused.why() == Refusal.RUN_ENDED && isCancelled(run)) {
            return false;
        }
        requireAppended(run, outcome);
        return true;
    }

    /** Hands over, in the engine's own name, the cancelling of a run that is past its deadline. */
    Pending handPastDeadline(RunId run, @Nullable Instant deadline) {
        return hand(run, new Event.RunCancelled(ENGINE, "The deadline %s has passed.".formatted(deadline)));
    }

    private boolean isCancelled(RunId run) {
        return setup.store()
                .run(setup.tenant(), run)
                .map(RunRow::status)
                .filter(RunStatus.CANCELLED::equals)
                .isPresent();
    }

    /** Puts a parked run back to work, with its version or another one. */
    void resume(RunId run, String reason, @Nullable Integer version) {
        Outcome outcome = hand(run, new Event.RunResumed(USER, reason, version)).await();
        if (outcome instanceof Outcome.Refused refused && refused.why() == Refusal.NOT_ALLOWED) {
            throw refused.why().because("Run %s is running; only a parked run can be resumed.".formatted(run));
        }
        requireAppended(run, outcome);
    }

    /** Puts a failed run back to work where it failed. */
    void redrive(RunId run, String reason) {
        setup.store()
                .run(setup.tenant(), run)
                .filter(row -> isPastDeadline(row, setup.store().now()))
                .ifPresent(row -> {
                    throw Refusal.NOT_ALLOWED.because(
                            "Run %s had to end by %s, and would be cancelled as soon as it goes on."
                                    .formatted(run, row.deadline()));
                });
        Outcome outcome = hand(run, new Event.RunRedriven(USER, reason)).await();
        if (outcome instanceof Outcome.Refused refused) {
            throw notRedriven(run, refused);
        }
        requireAppended(run, outcome);
    }

    /** Whether a failed run has a deadline that has passed: to redrive it would be to cancel it, for good. */
    static boolean isPastDeadline(RunRow row, Instant now) {
        Instant deadline = row.deadline();
        return row.status() == RunStatus.FAILED && deadline != null && !deadline.isAfter(now);
    }

    private RefusedException notRedriven(RunId run, Outcome.Refused refused) {
        Store store = setup.store();
        RunRow row = store.run(setup.tenant(), run).orElse(null);
        if (row == null) {
            return refused.why().because(refused.detail());
        }
        WorkflowId id = row.workflowId();
        if (refused.why() == Refusal.WORKFLOW_ID_HELD && id != null) {
            Optional<RunId> active =
                    store.activeRun(setup.tenant(), row.definition().workflow(), id);
            if (active.isPresent()) {
                return new AlreadyActiveException(
                        active.get(),
                        "Run %s cannot go on while run %s holds workflow id \"%s\".".formatted(run, active.get(), id));
            }
        }
        return refused.why() == Refusal.NOT_ALLOWED
                ? refused.why()
                        .because("Run %s is %s; only a failed run can be redriven."
                                .formatted(run, row.status().word()))
                : refused.why().because(refused.detail());
    }

    /** Changes a run only where this is still its last event; {@code PD-313} where it is not. */
    void appendAfter(RunId run, long last, Event event) {
        RunCommit commit = new RunCommit.Intervene(
                setup.tenant(), run, OptionalLong.of(last), List.of(new Draft(event)), Due.atOnce());
        Outcome outcome = setup.ledger().commit(commit);
        if (outcome instanceof Outcome.Conflict conflict) {
            throw new UniqueConflictException(
                    run,
                    "Run %s had %s events more by the time it was to be changed."
                            .formatted(run, conflict.last() - last));
        }
        requireAppended(run, outcome);
    }

    /** Hands an event over that is appended whatever the last one is, for who changes many runs. */
    Pending hand(RunId run, Event event) {
        return setup.ledger().hand(new RunCommit.Intervene(setup.tenant(), run, event));
    }

    /** Throws what a user is told where an event was not appended. */
    static void requireAppended(RunId run, Outcome outcome) {
        switch (outcome) {
            case Outcome.Appended _ -> {
                // As asked.
            }
            case Outcome.Refused(var why, String detail) -> throw why.because(detail);
            case Outcome other -> throw unexpected(run, other);
        }
    }

    private static IllegalStateException unexpected(RunId run, Outcome outcome) {
        return new IllegalStateException("run " + run + " was answered with " + outcome);
    }
}
