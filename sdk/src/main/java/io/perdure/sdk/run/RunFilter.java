package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which runs are meant: those for which all of it holds. Runs of an ended status are listed by when they ended, all others by when they
 * started, the newest first; {@code since} and {@code until} are of the same time.
 *
 * @param workflow only runs of this one
 * @param status only runs in this one
 * @param since only runs that started, or ended, then or later
 * @param until only runs that started, or ended, before then
 * @param tags only runs that have all of these
 * @param input only runs whose input {@linkplain Json#contains contains} each of these
 * @param waiting only runs that wait for a worker: nobody who is alive serves their version
 */
public record RunFilter(
        @Nullable WorkflowName workflow,
        @Nullable RunStatus status,
        @Nullable Instant since,
        @Nullable Instant until,
        Map<String, String> tags,
        List<Json> input,
        boolean waiting) {
    private static final RunFilter ALL = new RunFilter(null, null, null, null, Map.of(), List.of(), false);

    public RunFilter {
        tags = Map.copyOf(tags);
        input = List.copyOf(input);
    }

    /** All runs. */
    public static RunFilter all() {
        return ALL;
    }

    /** The same for runs of this workflow only, instead of one that was named before; {@code PD-001} for a name that is not valid. */
    public RunFilter workflow(String name) {
        return new RunFilter(new WorkflowName(name), status, since, until, tags, input, waiting);
    }

    /** The same for runs in this status only, instead of one that was named before. */
    public RunFilter status(RunStatus only) {
        return new RunFilter(workflow, only, since, until, tags, input, waiting);
    }

    /** The same for runs that started then or later; of an ended status, that ended then or later. */
    public RunFilter since(Instant time) {
        return new RunFilter(workflow, status, time, until, tags, input, waiting);
    }

    /** The same for runs that started before then; of an ended status, that ended before then. */
    public RunFilter until(Instant time) {
        return new RunFilter(workflow, status, since, time, tags, input, waiting);
    }

    /** The same for runs that started on that day, in UTC, or later; of an ended status, that ended then. */
    public RunFilter since(LocalDate day) {
        return since(day.atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    /** The same for runs that started before that day, in UTC; of an ended status, that ended before it. */
    public RunFilter until(LocalDate day) {
        return until(day.atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    /** The same for runs that have this tag as well; {@code PD-002} where it was asked for with another value. */
    public RunFilter tag(String name, String value) {
        Map<String, String> more = new TreeMap<>(tags);
        String before = more.put(name, value);
        if (before != null && !before.equals(value)) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_KEY,
                    "Tag \"%s\" is asked for both as \"%s\" and as \"%s\".".formatted(name, before, value));
        }
        return new RunFilter(workflow, status, since, until, more, input, waiting);
    }

    /** The same for runs whose input contains this as well, as {@link Json#contains} understands it. */
    public RunFilter input(Json part) {
        List<Json> more = new ArrayList<>(input);
        more.add(part);
        return new RunFilter(workflow, status, since, until, tags, more, waiting);
    }

    /**
     * The same for runs whose input has this field as well, with this value or one that contains it. A point in the path leads into an object:
     * {@code user.id} is the field {@code id} of the field {@code user}. {@code PD-002} for a path with an empty name.
     */
    public RunFilter inputField(String path, Json value) {
        List<String> names = List.of(path.split("\\.", -1));
        if (names.contains("")) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_KEY, "The path \"%s\" of an input field has an empty name.".formatted(path));
        }
        Json part = value;
        for (String name : names.reversed()) {
            part = JsonObject.builder().put(name, part).build();
        }
        return input(Json.of(part.text()));
    }

    /** The same for runs that wait for a worker: running, and of a version that nobody who is alive serves. Runs in any other status do not fit. */
    public RunFilter waitingForWorker() {
        return new RunFilter(workflow, RunStatus.RUNNING, since, until, tags, input, true);
    }

    /** Whether runs are found by when they ended, not by when they started. */
    public boolean isByEnd() {
        return status != null && status.isTerminal();
    }

    /** Throws {@code PD-006} unless a list by this filter can go on from there. */
    public void requirePlace(String place) {
        RunPlace.parse(isByEnd(), place);
    }

    /** Whether workflow and status are all that is asked for: then the store's books know how many there are. */
    public boolean isByStatus() {
        return since == null && until == null && tags.isEmpty() && !looksAtRows();
    }

    /** Whether something is asked for that no store looks at: every run has to be. */
    public boolean looksAtRows() {
        return waiting || !input.isEmpty();
    }
}
