package io.perdure.core.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a start may ask for besides the work itself.
 *
 * @param idempotencyKey a second start of the workflow with the same one answers the first run, whatever became of it
 * @param workflowId at most one active run of the workflow has it; a start answers that run while there is one
 * @param ready when the run begins
 * @param deadline when the run is cancelled if it still goes on
 * @param tags what is kept with the run, and shown with it
 * @param retentionDays how many days it is kept once it has ended; absent for the workflow's own
 */
public record StartOptions(
        @Nullable IdempotencyKey idempotencyKey,
        @Nullable WorkflowId workflowId,
        Due ready,
        Due deadline,
        Map<String, String> tags,
        @Nullable Integer retentionDays) {
    private static final StartOptions DEFAULTS =
            new StartOptions(null, null, Due.atOnce(), Due.never(), Map.of(), null);

    public StartOptions {
        tags = Map.copyOf(tags);
    }

    /** What holds unless said otherwise: no keys, at once, no deadline, no tags, kept as long as the workflow says. */
    public static StartOptions defaults() {
        return DEFAULTS;
    }

    /** The same, once for this key. Another input under the same key is {@code PD-303}. */
    public StartOptions idempotencyKey(String key) {
        return new StartOptions(new IdempotencyKey(key), workflowId, ready, deadline, tags, retentionDays);
    }

    /** The same, unless a run with this id is active. */
    public StartOptions workflowId(String id) {
        return new StartOptions(idempotencyKey, new WorkflowId(id), ready, deadline, tags, retentionDays);
    }

    /** The same, but it begins only after so long. */
    public StartOptions delay(Duration delay) {
        return new StartOptions(idempotencyKey, workflowId, Due.in(delay), deadline, tags, retentionDays);
    }

    /** The same, cancelled where it still goes on so long after its start. */
    public StartOptions deadline(Duration after) {
        if (!after.isPositive()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "A deadline %s after the start is not after it.".formatted(after));
        }
        return new StartOptions(idempotencyKey, workflowId, ready, Due.in(after), tags, retentionDays);
    }

    /** The same, cancelled where it still goes on at that time. */
    public StartOptions deadlineAt(Instant time) {
        return new StartOptions(idempotencyKey, workflowId, ready, Due.at(time), tags, retentionDays);
    }

    /** The same with one more tag. */
    public StartOptions tag(String name, String value) {
        Map<String, String> more = new TreeMap<>(tags);
        more.put(name, value);
        return new StartOptions(idempotencyKey, workflowId, ready, deadline, more, retentionDays);
    }

    /** The same, kept for so many days once it has ended; 365 at most, more is cut to that. */
    public StartOptions retentionDays(int days) {
        int most = Limits.defaults().runs().retentionDaysCeiling();
        if (days < 1 || days > most) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "Retention of " + days + " days is not between 1 and " + most + ".");
        }
        return new StartOptions(idempotencyKey, workflowId, ready, deadline, tags, days);
    }

    boolean isAtOnce() {
        return ready.equals(Due.atOnce());
    }
}
