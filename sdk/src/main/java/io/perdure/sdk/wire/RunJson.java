package io.perdure.sdk.wire;

import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.run.StepInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs, lists of them and their steps as they travel. */
public final class RunJson {
    private RunJson() {}

    public static Json write(RunInfo run) {
        return JsonObject.builder()
                .put("runId", run.id().toString())
                .put("workflow", run.workflow().value())
                .put("version", number(run.version()))
                .put("kind", run.kind() == null ? null : Words.of(run.kind()))
                .put("status", run.status().word())
                .put("input", run.input())
                .put("output", run.output())
                .put("error", run.error() == null ? null : run.error().json())
                .put("idempotencyKey", Fields.text(run.idempotencyKey()))
                .put("workflowId", Fields.text(run.workflowId()))
                .put("parent", Fields.text(run.parent()))
                .put("tags", texts(run.tags()))
                .put("retentionDays", run.retentionDays())
                .put("signals", run.wakes())
                .put("deadline", run.deadline())
                .put("startedAt", run.startedAt())
                .put("completedAt", run.completedAt())
                .build();
    }

    public static RunInfo run(Json json) {
        FieldReader read = FieldReader.of(json);
        return new RunInfo(
                read.parsed("runId", RunId::parse),
                read.parsed("workflow", WorkflowName::new),
                read.numberOrNull("version"),
                read.parsedOrNull("kind", word -> Words.parse(RunKind.class, word)),
                read.parsed("status", word -> Words.parse(RunStatus.class, word)),
                read.valueOrNull("input"),
                output(read),
                read.has("error") ? Failure.read(read.valueOrNull("error")) : null,
                read.parsedOrNull("idempotencyKey", IdempotencyKey::new),
                read.parsedOrNull("workflowId", WorkflowId::new),
                read.parsedOrNull("parent", RunId::parse),
                read.texts("tags"),
                read.number("retentionDays"),
                read.integer("signals"),
                read.timeOrNull("deadline"),
                read.time("startedAt"),
                read.timeOrNull("completedAt"));
    }

    /** The output of a run that has completed may be JSON's {@code null}; another one has none. */
    private static @Nullable Json output(FieldReader read) {
        return read.names().contains("output") ? read.valueOrNull("output") : null;
    }

    public static RunList list(Json json) {
        FieldReader read = FieldReader.of(json);
        return new RunList(read.list("runs", RunJson::run), read.textOrNull("next"));
    }

    public static Json write(StepInfo step) {
        return JsonObject.builder()
                .put("name", step.name().value())
                .put("kind", Words.of(step.kind()))
                .put("attempts", step.attempts())
                .put("startedAt", step.startedAt())
                .put("endedAt", step.endedAt())
                .put("seconds", Seconds.ofNullable(step.took().orElse(null)))
                .put("next", Fields.text(step.next()))
                .put("event", Fields.text(step.event()))
                .put("output", step.output())
                .put("failure", step.failure() == null ? null : step.failure().json())
                .build();
    }

    static @Nullable Json number(@Nullable Integer value) {
        return value == null ? null : Json.number(value);
    }

    static Json texts(Map<String, String> texts) {
        JsonObject.Builder object = JsonObject.builder();
        texts.forEach(object::put);
        return object.build();
    }
}
