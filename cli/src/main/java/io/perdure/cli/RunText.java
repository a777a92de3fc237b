package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.StepInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.RawValue;

/** Runs as they are shown: in words for people, as JSON for programs. */
final class RunText {
    private RunText() {}

    /** What there is to say of a run, by label; what it does not have is left out. */
    static Map<String, String> lines(RunInfo row) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("run", row.id().toString());
        lines.put("workflow", row.workflow() + (row.version() == null ? "" : ", version " + row.version()));
        lines.put("status", row.status().word());
        lines.put("started", EventText.time(row.startedAt()));
        if (row.completedAt() != null) {
            lines.put(
                    "ended",
                    EventText.time(row.completedAt()) + ", after "
                            + seconds(Duration.between(row.startedAt(), row.completedAt())));
        }
        put(lines, "deadline", row.deadline() == null ? null : EventText.time(row.deadline()));
        put(lines, "key", row.idempotencyKey());
        put(lines, "workflow id", row.workflowId());
        put(lines, "parent", row.parent());
        if (!row.tags().isEmpty()) {
            lines.put(
                    "tags",
                    row.tags().entrySet().stream()
                            .map(tag -> tag.getKey() + "=" + tag.getValue())
                            .collect(Collectors.joining(", ")));
        }
        lines.put("kept for", row.retentionDays() + (row.retentionDays() == 1 ? " day" : " days") + " after its end");
        lines.put("input", row.input().text());
        put(lines, "result", row.output());
        put(lines, "error", row.error() == null ? null : EventText.failure(row.error()));
        return lines;
    }

    private static void put(Map<String, String> lines, String label, @Nullable Object value) {
        if (value != null) {
            lines.put(label, value.toString());
        }
    }

    /** A workflow with the version that the run has, once it has one: {@code order@2}. */
    static String workflow(RunInfo row) {
        return row.workflow() + (row.version() == null ? "" : "@" + row.version());
    }

    static Map<String, Object> json(RunInfo row, Attendance attendance, List<StepInfo> steps) {
        Map<String, Object> shown = json(row, attendance);
        shown.put("steps", steps.stream().map(RunText::json).toList());
        return shown;
    }

    static Map<String, Object> json(RunInfo row, Attendance attendance) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", row.id().toString());
        shown.put("workflow", row.workflow().value());
        add(shown, "version", row.version());
        shown.put("status", row.status().word());
        shown.put("waitingForWorker", attendance.isMissedBy(row));
        shown.put("startedAt", row.startedAt().toString());
        add(shown, "completedAt", text(row.completedAt()));
        add(shown, "deadline", text(row.deadline()));
        add(shown, "idempotencyKey", text(row.idempotencyKey()));
        add(shown, "workflowId", text(row.workflowId()));
        add(shown, "parent", text(row.parent()));
        shown.put("tags", row.tags());
        shown.put("retentionDays", row.retentionDays());
        add(shown, "input", raw(row.input()));
        add(shown, "result", raw(row.output()));
        add(shown, "error", error(row.error()));
        return shown;
    }

    private static Map<String, Object> json(StepInfo step) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", step.name().value());
        shown.put("kind", step.kind().name().toLowerCase(Locale.ROOT));
        shown.put("attempts", step.attempts());
        add(shown, "startedAt", text(step.startedAt()));
        add(shown, "endedAt", text(step.endedAt()));
        step.took().ifPresent(took -> shown.put("tookMillis", took.toMillis()));
        add(shown, "next", text(step.next()));
        add(shown, "event", text(step.event()));
        add(shown, "output", raw(step.output()));
        add(shown, "failure", error(step.failure()));
        return shown;
    }

    private static void add(Map<String, Object> shown, String name, @Nullable Object value) {
        if (value != null) {
            shown.put(name, value);
        }
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    /** As it was given: parsing and writing it again would change the digits of numbers. */
    private static @Nullable RawValue raw(@Nullable Json json) {
        return json == null ? null : new RawValue(json.text());
    }

    private static @Nullable RawValue error(@Nullable Failure failure) {
        return failure == null ? null : raw(failure.json());
    }

    /** What came of a step, as far as is known. */
    static String outcome(StepInfo step) {
        return switch (step.kind()) {
            case STEP -> outcomeOfStep(step);
            case SLEEP -> step.next() == null ? "slept" : "sleeps until " + EventText.time(step.next());
            case WAIT -> outcomeOfWait(step);
        };
    }

    private static String outcomeOfWait(StepInfo wait) {
        if (wait.output() != null) {
            return oneLine("received " + wait.output().text());
        }
        if (wait.endedAt() != null) {
            return "timed out: no event came";
        }
        return "waits for event " + wait.event()
                + (wait.next() == null ? "" : ", at most until " + EventText.time(wait.next()));
    }

    private static String outcomeOfStep(StepInfo step) {
        Instant next = step.next();
        Failure failure = step.failure();
        if (failure == null && step.startedAt() != null && step.endedAt() == null) {
            return "under way since " + EventText.time(step.startedAt());
        }
        if (failure == null) {
            return step.output() == null ? "done" : oneLine(step.output().text());
        }
        return oneLine("failed: " + EventText.failure(failure)
                + (next == null ? "" : "; next attempt at " + EventText.time(next)));
    }

    /** A span with three digits after the point, such as {@code 1.204 s}; tables of them are easy to compare. */
    static String seconds(Duration span) {
        return String.format(Locale.ROOT, "%.3f s", span.toNanos() / 1e9);
    }

    static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ");
    }

    static void requireNotNegative(String what, Duration duration) {
        if (duration.isNegative()) {
            throw new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, "%s of %s is negative.".formatted(what, duration));
        }
    }
}
