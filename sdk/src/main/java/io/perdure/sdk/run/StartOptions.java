package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.EntryKey;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a start may ask for besides the work itself.
 *
 * @param keys by which an earlier run is found instead
 * @param ready when the run begins
 * @param deadline when the run is cancelled if it still goes on
 * @param tags what is kept with the run, and shown with it
 * @param retentionDays how many days it is kept once it has ended; absent for the workflow's own
 * @param version the version that it runs; absent for the newest
 * @param writes what a StepFlow finds in its scratchpad; each becomes JSON
 */
public record StartOptions(
        Keys keys,
        Due ready,
        Due deadline,
        Map<String, String> tags,
        @Nullable Integer retentionDays,
        @Nullable Integer version,
        Map<String, @Nullable Object> writes) {
    private static final StartOptions DEFAULTS =
            new StartOptions(new Keys(null, null), Due.atOnce(), Due.never(), Map.of(), null, null, Map.of());

    public StartOptions {
        tags = Map.copyOf(tags);
        writes = Collections.unmodifiableMap(new TreeMap<>(writes));
    }

    /**
     * By which an earlier run is found instead.
     *
     * @param idempotencyKey a second start of the workflow with the same one answers the first run, whatever became of it
     * @param workflowId at most one active run of the workflow has it; a start answers that run while there is one
     */
    public record Keys(
            @Nullable IdempotencyKey idempotencyKey,
            @Nullable WorkflowId workflowId) {}

    /** What holds unless said otherwise: no keys, at once, no deadline, no tags, kept as long as the workflow says. */
    public static StartOptions defaults() {
        return DEFAULTS;
    }

    /** The same, once for this key. Another input under the same key is {@code PD-303}. */
    public StartOptions idempotencyKey(String key) {
        return with(new Keys(new IdempotencyKey(key), keys.workflowId()));
    }

    /** The same, unless a run with this id is active. */
    public StartOptions workflowId(String id) {
        return with(new Keys(keys.idempotencyKey(), new WorkflowId(id)));
    }

    private StartOptions with(Keys other) {
        return new StartOptions(other, ready, deadline, tags, retentionDays, version, writes);
    }

    /** The same, but it begins only after so long. */
    public StartOptions delay(Duration delay) {
        return new StartOptions(keys, Due.in(delay), deadline, tags, retentionDays, version, writes);
    }

    /** The same, cancelled where it still goes on so long after its start. */
    public StartOptions deadline(Duration after) {
        if (!after.isPositive()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "A deadline %s after the start is not after it.".formatted(after));
        }
        return with(Due.in(after));
    }

    /** The same, cancelled where it still goes on at that time. */
    public StartOptions deadlineAt(Instant time) {
        return with(Due.at(time));
    }

    private StartOptions with(Due otherDeadline) {
        return new StartOptions(keys, ready, otherDeadline, tags, retentionDays, version, writes);
    }

    /** The same with one more tag. */
    public StartOptions tag(String name, String value) {
        Map<String, String> more = new TreeMap<>(tags);
        more.put(name, value);
        return new StartOptions(keys, ready, deadline, more, retentionDays, version, writes);
    }

    /**
     * The same in the trace that its caller stands in, as W3C Trace Context writes it; {@code PD-007} for what is none. An engine that was opened
     * with OpenTelemetry takes the span that is current, unless this says otherwise.
     */
    public StartOptions traceparent(String traceparent) {
        return TraceContext.parse(traceparent)
                .map(caller -> tag(TraceContext.TAG, caller.traceparent()))
                .orElseThrow(() -> new InvalidValueException(
                        ErrorCode.OUT_OF_BOUNDS,
                        "\"%s\" is no traceparent, such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01."
                                .formatted(traceparent)));
    }

    /**
     * The same with what came beside that {@code traceparent}, as W3C Trace Context writes it. What is none is dropped, as it says, and of what is longer than a tag
     * may be the long entries and then the last.
     */
    public StartOptions tracestate(String tracestate) {
        String kept = TraceContext.state(tracestate, Limits.defaults().names().keyBytes());
        return kept.isEmpty() ? this : tag(TraceContext.STATE_TAG, kept);
    }

    /**
     * The same under this place in a trace, unless it has one already, or as many tags as there may be. Of the state that comes with it
     * as much is kept as a tag holds.
     */
    public StartOptions within(TraceContext caller) {
        if (!hasRoom() || tags.containsKey(TraceContext.TAG)) {
            return this;
        }
        StartOptions placed = tag(TraceContext.TAG, caller.traceparent());
        return placed.hasRoom() && !tags.containsKey(TraceContext.STATE_TAG)
                ? placed.tracestate(caller.tracestate())
                : placed;
    }

    private boolean hasRoom() {
        return tags.size() < Limits.defaults().runs().tags();
    }

    /**
     * The same, kept for so many days once it has ended, whatever its workflow says. More than the engine allows, 365 unless it was opened with
     * another number, is cut to that.
     */
    public StartOptions retentionDays(int days) {
        int most = Limits.defaults().runs().retentionDaysCeiling();
        if (days < 1 || days > most) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "Retention of " + days + " days is not between 1 and " + most + ".");
        }
        return new StartOptions(keys, ready, deadline, tags, days, version, writes);
    }

    /**
     * The same with this version, for a start by name. A start of a definition has the version of that definition: another one is
     * {@code PD-508}.
     */
    public StartOptions version(int number) {
        if (number < 1) {
            throw new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, "Version " + number + " is below 1.");
        }
        return new StartOptions(keys, ready, deadline, tags, retentionDays, number, writes);
    }

    /**
     * The same with an entry that the first step of a StepFlow finds in its scratchpad; {@code PD-002} for a key that is not valid. A
     * workflow written as code has no scratchpad.
     */
    public StartOptions write(String key, @Nullable Object value) {
        Map<String, @Nullable Object> more = new TreeMap<>(writes);
        more.put(new EntryKey(key).value(), value);
        return new StartOptions(keys, ready, deadline, tags, retentionDays, version, more);
    }

    /**
     * Throws where a start of this definition cannot ask for it: {@code PD-508} for another version, {@code PD-007} for entries of a
     * scratchpad that it does not have.
     */
    public void requireFor(WorkflowDefinition workflow) {
        if (version != null && version != workflow.version()) {
            throw new WorkflowCodeException(
                    ErrorCode.VERSION_MISMATCH, "The start of %s asked for version %s.".formatted(workflow, version));
        }
        if (workflow.kind() == RunKind.CODE && !writes.isEmpty()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "Workflow %s is written as code, and has no scratchpad to write to.".formatted(workflow));
        }
    }

    /** Whether the run is to begin without a delay. */
    public boolean isAtOnce() {
        return ready.equals(Due.atOnce());
    }
}
