package io.perdure.sdk.wire;

import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.trace.TraceContext;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The start of a run as it travels.
 *
 * @param runId what the run is to be called: a start that is sent again under the same id is one start
 * @param kind how the workflow is written, where the starter knows
 */
public record StartJson(@Nullable RunId runId, @Nullable RunKind kind, Json input, StartOptions options) {
    /** Writes the body of a request; what the options write into a scratchpad becomes JSON by this codec. */
    public Json write(Codec codec) {
        JsonObject.Builder body = JsonObject.builder()
                .put("runId", Fields.text(runId))
                .put("kind", kind == null ? null : Words.of(kind))
                .put("input", input)
                .put("version", RunJson.number(options.version()))
                .put("idempotencyKey", Fields.text(options.keys().idempotencyKey()))
                .put("workflowId", Fields.text(options.keys().workflowId()))
                .put("retentionDays", RunJson.number(options.retentionDays()));
        if (options.ready() instanceof Due.In(var delay) && !delay.isZero()) {
            body.put("delay", Seconds.of(delay));
        }
        switch (options.deadline()) {
            case Due.In(var after) -> body.put("deadline", Seconds.of(after));
            case Due.At(var time) -> body.put("deadlineAt", time);
            case Due.Never() -> {}
        }
        if (!options.tags().isEmpty()) {
            body.put("tags", RunJson.texts(options.tags()));
        }
        if (!options.writes().isEmpty()) {
            JsonObject.Builder writes = JsonObject.builder();
            options.writes()
                    .forEach((key, value) ->
                            writes.put(key, codec.write(value, "Entry \"" + key + "\" of the scratchpad")));
            body.put("writes", writes.build());
        }
        return body.build();
    }

    /** The same under where its caller stands in a trace, if it does. */
    public StartJson within(Optional<TraceContext> caller) {
        return caller.map(place -> new StartJson(runId, kind, input, options.within(place)))
                .orElse(this);
    }

    /** Reads the body of a request: a field that is not known is refused. */
    public static StartJson read(Json json) {
        FieldReader read = FieldReader.of(json)
                .requireOnly(
                        "runId",
                        "kind",
                        "input",
                        "version",
                        "idempotencyKey",
                        "workflowId",
                        "retentionDays",
                        "delay",
                        "deadline",
                        "deadlineAt",
                        "tags",
                        "writes");
        return new StartJson(
                read.parsedOrNull("runId", RunId::parse),
                read.parsedOrNull("kind", word -> Words.parse(RunKind.class, word)),
                read.valueOrNull("input"),
                options(read));
    }

    private static StartOptions options(FieldReader read) {
        StartOptions options = StartOptions.defaults();
        options = read.apply("version", options, read.numberOrNull("version"), StartOptions::version);
        options =
                read.apply("idempotencyKey", options, read.textOrNull("idempotencyKey"), StartOptions::idempotencyKey);
        options = read.apply("workflowId", options, read.textOrNull("workflowId"), StartOptions::workflowId);
        options = read.apply("retentionDays", options, read.numberOrNull("retentionDays"), StartOptions::retentionDays);
        options = read.apply("delay", options, read.secondsOrNull("delay"), StartOptions::delay);
        options = read.apply("deadline", options, read.secondsOrNull("deadline"), StartOptions::deadline);
        options = read.apply("deadlineAt", options, read.timeOrNull("deadlineAt"), StartOptions::deadlineAt);
        for (Map.Entry<String, String> tag : read.texts("tags").entrySet()) {
            StartOptions before = options;
            options = read.taken("tags", tag, one -> before.tag(one.getKey(), one.getValue()));
        }
        if (read.has("writes")) {
            FieldReader writes = read.object("writes");
            for (String key : writes.names()) {
                StartOptions before = options;
                options = writes.taken(key, writes.valueOrNull(key), value -> before.write(key, value));
            }
        }
        return options;
    }

    /** The answer to one of many starts that was refused. */
    public static Json refused(PerdureException why, int status) {
        return JsonObject.builder()
                .put("problem", ProblemJson.write(why, status))
                .build();
    }

    /** What a start was refused with, where this is such an answer. */
    public static Optional<PerdureException> problem(Json json) {
        FieldReader read = FieldReader.of(json);
        return read.has("problem") ? Optional.of(ProblemJson.read(read.valueOrNull("problem"), 0)) : Optional.empty();
    }

    /** The answer to a start. */
    public record Started(RunId runId, boolean created, RunStatus status) {
        public Json write() {
            return JsonObject.builder()
                    .put("runId", runId.toString())
                    .put("created", created)
                    .put("status", status.word())
                    .build();
        }

        public static Started read(Json json) {
            FieldReader read = FieldReader.of(json);
            return new Started(
                    read.parsed("runId", RunId::parse),
                    read.flag("created"),
                    read.parsed("status", word -> Words.parse(RunStatus.class, word)));
        }
    }
}
