package io.perdure.sdk.run;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step, sleep or wait of a run, as its history shows it.
 *
 * @param attempts how often a step was tried, as far as is known: an attempt under way of a workflow written as code leaves no trace before it
 *     ends
 * @param startedAt when the attempt that returned began, by the worker's clock, or one that is under way, by the store's; the sleep or wait, by the store's
 * @param endedAt when it was done; absent while it is not
 * @param next when a sleep ends, a failed step is tried again, or a wait gives up; absent for a wait that does not
 * @param event the name of the events that a wait takes
 * @param output what the step returned, or the payload that the wait took; a wait that ended without one timed out
 * @param failure why the newest attempt failed, where it did
 */
public record StepInfo(
        StepName name,
        Kind kind,
        int attempts,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable Instant next,
        @Nullable EventName event,
        @Nullable Json output,
        @Nullable Failure failure) {
    /** What it was. */
    public enum Kind {
        STEP,
        SLEEP,
        WAIT
    }

    /** Returns this step without what it returned and why it failed. */
    StepInfo bare() {
        return output == null && failure == null
                ? this
                : new StepInfo(name, kind, attempts, startedAt, endedAt, next, event, null, null);
    }

    /** How large its output is, roughly. */
    long bytes() {
        return output == null ? 0 : output.text().length();
    }

    /** How long the attempt that returned took, or the sleep or wait lasted; empty while it is not done. */
    public Optional<Duration> took() {
        return startedAt == null || endedAt == null
                ? Optional.empty()
                : Optional.of(Duration.between(startedAt, endedAt));
    }

    /** The steps, sleeps and waits of a history, in their order. A sleep is done when the code went on after it; while a run is parked, or when it was cancelled, it did not. */
    public static List<StepInfo> of(List<Recorded> history) {
        StepReader reader = new StepReader(0, Integer.MAX_VALUE, Long.MAX_VALUE);
        history.forEach(reader::add);
        return reader.steps();
    }

    static boolean isFromOutside(Event event) {
        return event instanceof Event.RunCancelled
                || event instanceof Event.RunParked
                || event instanceof Event.RunResumed
                || event instanceof Event.RunRedriven;
    }

    /** Under way; why the attempt before failed, where one did, is still to be seen. */
    static StepInfo started(Event.StepStarted e, Instant at, @Nullable Failure before) {
        return new StepInfo(e.step(), Kind.STEP, e.attempt(), at, null, null, null, null, before);
    }

    static StepInfo completed(Event.StepCompleted e, Instant at) {
        return new StepInfo(e.step(), Kind.STEP, e.attempt(), e.startedAt(), at, null, null, e.output(), null);
    }

    static StepInfo failed(Event.StepFailed e, @Nullable Instant next) {
        return new StepInfo(e.step(), Kind.STEP, e.attempt(), null, null, next, null, null, e.reason());
    }

    static StepInfo begun(StepName name, Kind kind, @Nullable EventName event, Recorded recorded) {
        Instant until = recorded.until();
        Instant next = until != null && until.isBefore(Due.FAR_FUTURE) ? until : null;
        return new StepInfo(name, kind, 1, recorded.at(), null, next, event, null, null);
    }

    StepInfo received(Instant at, Json payload) {
        return new StepInfo(name, kind, attempts, startedAt, at, null, event, payload, failure);
    }

    /** The sleep, or the wait without an event, has ended when it was to; at once, where that was over when it began. */
    StepInfo over() {
        boolean late = startedAt != null && next != null && next.isBefore(startedAt);
        return new StepInfo(name, kind, attempts, startedAt, late ? startedAt : next, null, event, output, failure);
    }
}
