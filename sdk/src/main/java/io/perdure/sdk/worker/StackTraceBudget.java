package io.perdure.sdk.worker;

import io.perdure.sdk.Limits;
import io.perdure.sdk.ValueLimits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Bounds the stack traces that one run records, so that attempts that fail again and again do not make its history too large to go on with. The
 * history is counted once, at the first failure of a turn; each later failure adds to the count. Used by one thread at a time.
 */
final class StackTraceBudget {
    private static final ValueLimits LIMITS = Limits.defaults().values();
    private static final long NOT_COUNTED = -1;

    private final List<Recorded> history;
    private long used = NOT_COUNTED;

    /**
     * Makes the budget of one turn.
     *
     * @param history the events before the turn
     */
    StackTraceBudget(List<Recorded> history) {
        this.history = history;
    }

    /**
     * Returns how many bytes the stack trace of a failed attempt may have; 0 if it is recorded without one.
     *
     * @param attempt the number of the attempt within its step
     * @param last whether no attempt follows: this one fails the run, so it always has a full stack trace
     */
    int most(int attempt, boolean last) {
        if (last) {
            return LIMITS.stackTraceBytes();
        }
        long before = used();
        if (before >= LIMITS.runStackTraceBytes()) {
            return 0;
        }
        return attempt <= LIMITS.fullStackTraces() && before < LIMITS.runFullStackTraceBytes()
                ? LIMITS.stackTraceBytes()
                : LIMITS.repeatedStackTraceBytes();
    }

    /** Counts the stack trace of a failed attempt that is about to be recorded. */
    void add(Failure reason) {
        used = used() + bytes(reason);
    }

    private long used() {
        if (used == NOT_COUNTED) {
            long bytes = 0;
            for (Recorded recorded : history) {
                bytes += recorded.event() instanceof Event.StepFailed failed ? bytes(failed.reason()) : 0;
            }
            used = bytes;
        }
        return used;
    }

    private static int bytes(Failure failure) {
        String trace = failure.stackTrace();
        return trace == null ? 0 : trace.getBytes(StandardCharsets.UTF_8).length;
    }
}
