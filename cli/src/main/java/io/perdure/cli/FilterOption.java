package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which runs are meant: the options that every command on many runs shares. */
final class FilterOption {
    @Option(names = "--workflow", paramLabel = "NAME", description = "Only runs of this workflow.")
    private @Nullable String workflow;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "Only runs that are running, parked, completed, failed or cancelled.")
    private @Nullable RunStatus status;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = {
                "Only runs that started then or later; of an ended status, that ended then or later.",
                "2026-05-01 (from midnight, UTC) or 2026-05-01T12:30:00Z."
            })
    private @Nullable Instant since;

    @Option(
            names = "--until",
            paramLabel = "WHEN",
            description =
                    "Only runs that started, or ended, before then; a date is its midnight, UTC, so that day is not"
                            + " included.")
    private @Nullable Instant until;

    @Option(
            names = "--tag",
            paramLabel = "NAME=VALUE",
            description = "Only runs with this tag; may be given more than once.")
    private List<String> tags = new ArrayList<>();

    @Option(
            names = "--input",
            paramLabel = "FIELD=VALUE",
            description = {
                "Only runs whose input has this field with this value; may be given more than once.",
                "user.id=42 looks into an object. A value that is JSON is of its type: 42, true, {\"a\":1};",
                "anything else is text, and so is '\"42\"'."
            })
    private List<String> input = new ArrayList<>();

    @Option(
            names = "--waiting",
            description =
                    "Only runs that wait for a worker: running, and of a version that nobody who is alive serves.")
    private boolean waiting;

    /** What was asked for. */
    RunFilter filter() {
        RunFilter filter = RunFilter.all();
        filter = workflow == null ? filter : filter.workflow(workflow);
        filter = status == null ? filter : filter.status(status);
        filter = since == null ? filter : filter.since(since);
        filter = until == null ? filter : filter.until(until);
        for (String tag : tags) {
            String[] pair = pair("--tag", tag);
            filter = filter.tag(pair[0], pair[1]);
        }
        for (String field : input) {
            String[] pair = pair("--input", field);
            filter = filter.inputField(pair[0], typed(pair[1]));
        }
        return waiting ? waiting(filter) : filter;
    }

    private static RunFilter waiting(RunFilter filter) {
        if (filter.status() != null && filter.status() != RunStatus.RUNNING) {
            throw new InvalidValueException(
                    ErrorCode.USAGE,
                    "Only running runs wait for a worker, none that are %s; leave out --waiting or --status."
                            .formatted(filter.status().word()));
        }
        return filter.waitingForWorker();
    }

    /** Whether nothing was asked for, so that all runs are meant. */
    boolean isEmpty() {
        return filter().equals(RunFilter.all());
    }

    /** A status by its word, in small or capital letters. */
    static RunStatus status(String word) {
        return Arrays.stream(RunStatus.values())
                .filter(status -> status.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "expected running, parked, completed, failed or cancelled but was \"" + word + "\""));
    }

    /** A value of its JSON type; what is no JSON, and does not begin as if it were, is text. */
    private static Json typed(String value) {
        try {
            return Json.of(value);
        } catch (InvalidValueException e) {
            if (e.code() != ErrorCode.NOT_JSON || value.matches("(?s)\\s*[\\[{\"].*")) {
                throw e;
            }
            return Json.string(value);
        }
    }

    private static String[] pair(String option, String text) {
        int between = text.indexOf('=');
        if (between < 1) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_KEY, "\"%s\" of %s is not of the form NAME=VALUE.".formatted(text, option));
        }
        return new String[] {text.substring(0, between), text.substring(between + 1)};
    }
}
