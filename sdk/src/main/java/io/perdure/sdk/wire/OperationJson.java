package io.perdure.sdk.wire;

import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.RecoveryReason;
import io.perdure.sdk.run.RecoveryReport;
import io.perdure.sdk.run.RecoveryReport.Recovered;
import io.perdure.sdk.run.RunCount;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What whoever runs the system is told, as it travels. */
public final class OperationJson {
    private OperationJson() {}

    /** How many runs of each workflow are in each status: an object for each workflow, with a number for each status. */
    public static Json counts(List<RunCount> counts) {
        Map<WorkflowName, Map<RunStatus, Long>> byName = new LinkedHashMap<>();
        counts.forEach(count -> byName.computeIfAbsent(count.workflow(), _ -> new EnumMap<>(RunStatus.class))
                .put(count.status(), count.count()));
        List<Json> workflows = new ArrayList<>();
        byName.forEach((name, numbers) -> {
            JsonObject.Builder workflow = JsonObject.builder().put("name", name.value());
            for (RunStatus status : RunStatus.values()) {
                workflow.put(status.word(), numbers.getOrDefault(status, 0L));
            }
            workflows.add(workflow.build());
        });
        return JsonObject.builder().put("workflows", JsonArray.of(workflows)).build();
    }

    /** Reads what {@link #counts(List)} wrote; a status that no run is in is left out. */
    public static List<RunCount> counts(Json json) {
        List<RunCount> counts = new ArrayList<>();
        FieldReader.of(json).list("workflows", FieldReader::of).forEach(read -> {
            WorkflowName name = read.parsed("name", WorkflowName::new);
            for (RunStatus status : RunStatus.values()) {
                Long count = read.integerOrNull(status.word());
                if (count != null && count > 0) {
                    counts.add(new RunCount(name, status, count));
                }
            }
        });
        return counts;
    }

    public static Json write(BulkProgress progress) {
        return JsonObject.builder()
                .put("matched", progress.matched())
                .put("done", progress.done())
                .put("missed", progress.missed())
                .build();
    }

    public static BulkProgress progress(Json json) {
        FieldReader read = FieldReader.of(json);
        return new BulkProgress(read.integer("matched"), read.integer("done"), read.integer("missed"));
    }

    public static Json write(LiveWorker worker) {
        return JsonObject.builder()
                .put("process", worker.process().toString())
                .put("name", worker.name())
                .put("served", ClaimJson.writeServed(worker.served()))
                .put("concurrency", worker.concurrency())
                .put("since", worker.since())
                .put("until", worker.until())
                .build();
    }

    public static LiveWorker worker(Json json) {
        FieldReader read = FieldReader.of(json);
        return new LiveWorker(
                read.parsed("process", ProcessId::parse),
                read.text("name"),
                read.list("served", ClaimJson::servedWorkflow),
                read.number("concurrency"),
                read.time("since"),
                read.time("until"));
    }

    public static Json write(RecoveryReport report) {
        List<Json> recovered = report.recovered().stream()
                .map(run -> JsonObject.builder()
                        .put("runId", run.run().toString())
                        .put("workflow", run.workflow().value())
                        .put("reason", run.reason().word())
                        .build())
                .toList();
        return JsonObject.builder()
                .put("counts", counts(report.counts()))
                .put("recovered", JsonArray.of(recovered))
                .build();
    }

    public static RecoveryReport report(Json json) {
        FieldReader read = FieldReader.of(json);
        return new RecoveryReport(read.list("recovered", OperationJson::recovered), reasons(read.object("counts")));
    }

    private static Recovered recovered(Json json) {
        FieldReader read = FieldReader.of(json);
        return new Recovered(
                read.parsed("runId", RunId::parse),
                read.parsed("workflow", WorkflowName::new),
                read.parsed("reason", word -> Words.parse(RecoveryReason.class, word)));
    }

    /** How many runs were mended for each reason. */
    public static Json counts(Map<RecoveryReason, Long> counts) {
        JsonObject.Builder object = JsonObject.builder();
        counts.forEach((reason, count) -> object.put(reason.word(), count));
        return object.build();
    }

    /** Reads what {@link #counts(Map)} wrote. */
    public static Map<RecoveryReason, Long> reasons(FieldReader read) {
        Map<RecoveryReason, Long> counts = new EnumMap<>(RecoveryReason.class);
        for (RecoveryReason reason : RecoveryReason.values()) {
            Long count = read.integerOrNull(reason.word());
            counts.put(reason, count == null ? 0L : count);
        }
        return counts;
    }
}
