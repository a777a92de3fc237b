package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history, taken apart into the calls that the code made, in their order. The code makes the same calls again; each is
 * compared with the one that was recorded in its place, so that code which has changed is noticed before it does harm.
 */
final class Recall {
    /** The kinds of calls, by the word that users know them by. */
    enum Kind {
        STEP,
        SLEEP,
        WAIT,
        CHILD;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One call, and how far it has come. */
    static final class Call {
        final Kind kind;
        final StepName name;
        final long seq;
        /** Attempts that failed since the run was last redriven. */
        int failures;

        @Nullable
        Failure failure;
        /** Whether the last failure is one that trying again may mend. */
        boolean retryable = true;
        /** The end of a sleep or a wait, or the time of the next attempt. */
        @Nullable
        Instant until;
        /** When it was over, or for a sleep when it will be, as code sees it; and what came of it. */
        @Nullable
        Instant doneAt;

        @Nullable
        Json output;

        /** What a wait waits for, if its beginning is recorded. */
        @Nullable
        Wait wait;

        Call(Kind kind, StepName name, long seq) {
            this.kind = kind;
            this.name = name;
            this.seq = seq;
        }

        boolean is(Kind otherKind, StepName otherName) {
            return kind == otherKind && name.equals(otherName);
        }

        @Override
        public String toString() {
            return kind.word() + " \"" + name + "\"";
        }
    }

    private final RunId run;
    private final List<Call> calls = new ArrayList<>();
    private final Set<StepName> named = new HashSet<>();
    private int position;

    Recall(RunId run, List<Recorded> history) {
        this.run = run;
        history.forEach(this::read);
    }

    private void read(Recorded recorded) {
        switch (recorded.event()) {
            case Event.StepStarted e -> call(Kind.STEP, e.step(), recorded);
            case Event.StepCompleted e -> {
                Call call = call(Kind.STEP, e.step(), recorded);
                call.doneAt = recorded.at();
                call.output = e.output();
            }
            case Event.StepFailed e -> {
                Call call = call(Kind.STEP, e.step(), recorded);
                call.failures++;
                call.failure = e.reason();
                call.retryable = e.retryable();
                call.until = recorded.until();
            }
            case Event.SleepStarted e -> {
                Call call = call(Kind.SLEEP, e.name(), recorded);
                call.until = recorded.until();
                call.doneAt = endOf(recorded);
            }
            case Event.WaitStarted e -> {
                Call call = call(Kind.WAIT, e.name(), recorded);
                call.wait = Wait.of(e);
                call.until = recorded.until();
            }
            case Event.EventReceived e -> {
                Call call = call(Kind.WAIT, e.name(), recorded);
                call.doneAt = recorded.at();
                call.output = e.payload();
            }
            case Event.WaitTimedOut e -> call(Kind.WAIT, e.name(), recorded).doneAt = recorded.at();
            case Event.ChildStarted e -> call(Kind.CHILD, e.name(), recorded);
            case Event.ChildEnded e -> call(Kind.CHILD, e.name(), recorded);
            case Event.RunRedriven _ -> redriven();
            case Event.RunCreated _,
                    Event.RunParked _,
                    Event.RunResumed _,
                    Event.RunCompleted _,
                    Event.RunFailed _,
                    Event.RunCancelled _ -> {
                // Of the run as a whole: no call of the code.
            }
        }
    }

    /**
     * The time that code sees after a sleep: not before the sleep began, though the time that it was to end at may be over, or the clock may have been set
     * back.
     */
    static Instant endOf(Recorded sleep) {
        Instant until = Objects.requireNonNull(sleep.until(), "a sleep has an end");
        return until.isBefore(sleep.at()) ? sleep.at() : until;
    }

    /** The call that an event belongs to: the last one, or a new one. */
    private Call call(Kind kind, StepName name, Recorded recorded) {
        if (!calls.isEmpty() && calls.getLast().is(kind, name)) {
            return calls.getLast();
        }
        Call call = new Call(kind, name, recorded.seq());
        calls.add(call);
        return call;
    }

    /** Attempts are counted anew. */
    private void redriven() {
        if (!calls.isEmpty() && calls.getLast().doneAt == null) {
            Call last = calls.getLast();
            last.failures = 0;
            last.until = last.kind == Kind.STEP ? null : last.until;
            last.retryable = true;
        }
    }

    /**
     * What was recorded of the code's next call; empty where the history ends before it. Throws {@code PD-501} for a name that
     * was used before, and {@code PD-104} where another call was recorded in this place.
     */
    Optional<Call> next(Kind kind, StepName name) {
        if (!named.add(name)) {
            throw new WorkflowCodeException(
                    ErrorCode.NAME_REUSED, "Run %s uses the name \"%s\" a second time.".formatted(run, name));
        }
        if (position == calls.size()) {
            return Optional.empty();
        }
        Call recorded = calls.get(position);
        if (!recorded.is(kind, name)) {
            throw mismatch(recorded, "the code asked for %s \"%s\"".formatted(kind.word(), name));
        }
        position++;
        return Optional.of(recorded);
    }

    /** How many calls the code has made. */
    int made() {
        return named.size();
    }

    /** Throws {@code PD-104} where the history has calls that the code did not make before its end. */
    void requireAllMade() {
        if (position < calls.size()) {
            throw mismatch(calls.get(position), "the code ended");
        }
    }

    /** Throws {@code PD-104} where a wait that is not over waited for something else. */
    void requireSame(Call recorded, Wait wait) {
        Wait before = Objects.requireNonNull(recorded.wait, "a wait that is not over has begun");
        if (!wait.isSameAs(before)) {
            throw mismatch(recorded.seq, recorded + " for " + before, "the code asked for " + wait);
        }
    }

    /** Throws {@code PD-104} where a wait has an end, and the code knows of none. */
    void requireEndless(Call recorded) {
        if (recorded.until != null && recorded.output == null) {
            throw mismatch(recorded.seq, recorded + " until " + recorded.until, "the code waits without an end");
        }
    }

    private WorkflowCodeException mismatch(Call recorded, String instead) {
        return mismatch(recorded.seq, recorded.toString(), instead);
    }

    private WorkflowCodeException mismatch(long seq, String recorded, String instead) {
        return new WorkflowCodeException(
                ErrorCode.HISTORY_MISMATCH,
                "Run " + run + " does not match its history at event " + seq + ": recorded " + recorded + ", " + instead
                        + ". The code changed while the run was in flight.");
    }
}
