package io.perdure.core.workflow;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step or sleep of a run, as its history shows it.
 *
 * @param attempts how often a step was tried, as far as is known: an attempt under way leaves no trace before it ends
 * @param startedAt when the attempt that returned began, by the worker's clock; the sleep, by the store's
 * @param endedAt when it was done; absent while it is not
 * @param next when a sleep ends or a failed step is tried again
 * @param output what the step returned
 * @param failure why the newest attempt failed, where it did
 */
public record StepInfo(
        StepName name,
        Kind kind,
        int attempts,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable Instant next,
        @Nullable Json output,
        @Nullable Failure failure) {
    /** What it was. */
    public enum Kind {
        STEP,
        SLEEP
    }

    /** How long the attempt that returned took, or the sleep lasted; empty while it is not done. */
    public Optional<Duration> took() {
        return startedAt == null || endedAt == null
                ? Optional.empty()
                : Optional.of(Duration.between(startedAt, endedAt));
    }

    /** The steps and sleeps of a history, in their order. A sleep is done when the code went on after it; while a run is parked, or when it was cancelled, it did not. */
    static List<StepInfo> of(List<Recorded> history) {
        Map<StepName, StepInfo> steps = new LinkedHashMap<>();
        @Nullable StepName sleeping = null;
        for (Recorded recorded : history) {
            if (sleeping != null && !isFromOutside(recorded.event())) {
                steps.computeIfPresent(sleeping, (_, sleep) -> sleep.over());
                sleeping = null;
            }
            switch (recorded.event()) {
                case Event.StepCompleted e ->
                    steps.put(
                            e.step(),
                            new StepInfo(
                                    e.step(),
                                    Kind.STEP,
                                    e.attempt(),
                                    e.startedAt(),
                                    recorded.at(),
                                    null,
                                    e.output(),
                                    null));
                case Event.StepFailed e ->
                    steps.put(
                            e.step(),
                            new StepInfo(
                                    e.step(), Kind.STEP, e.attempt(), null, null, recorded.until(), null, e.reason()));
                case Event.SleepStarted e -> {
                    sleeping = e.name();
                    steps.put(
                            e.name(),
                            new StepInfo(e.name(), Kind.SLEEP, 1, recorded.at(), null, recorded.until(), null, null));
                }
                case Event _ -> {
                    // Of the run as a whole, or of a kind that has no timing.
                }
            }
        }
        return new ArrayList<>(steps.values());
    }

    private static boolean isFromOutside(Event event) {
        return event instanceof Event.RunCancelled
                || event instanceof Event.RunParked
                || event instanceof Event.RunResumed
                || event instanceof Event.RunRedriven;
    }

    /** The sleep has ended when it was to; at once, where that was over when it began. */
    private StepInfo over() {
        boolean late = startedAt != null && next != null && next.isBefore(startedAt);
        return new StepInfo(name, kind, attempts, startedAt, late ? startedAt : next, null, output, failure);
    }
}
