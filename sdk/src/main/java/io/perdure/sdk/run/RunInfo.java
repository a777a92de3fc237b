package io.perdure.sdk.run;

import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A run as it stood when somebody looked, without its history. Times are the store's.
 *
 * @param version the version it runs; absent while nobody has claimed a run that was started without one
 * @param kind how its workflow is written; absent where whoever started it did not know
 * @param output its result, once completed
 * @param error why it failed, was cancelled or is parked, while it is
 * @param retentionDays how many days it is kept once it has ended
 * @param wakes how many signals it has had
 * @param completedAt when it ended, while it is ended
 */
public record RunInfo(
        RunId id,
        WorkflowName workflow,
        @Nullable Integer version,
        @Nullable RunKind kind,
        RunStatus status,
        Json input,
        @Nullable Json output,
        @Nullable Failure error,
        @Nullable IdempotencyKey idempotencyKey,
        @Nullable WorkflowId workflowId,
        @Nullable RunId parent,
        Map<String, String> tags,
        int retentionDays,
        long wakes,
        @Nullable Instant deadline,
        Instant startedAt,
        @Nullable Instant completedAt) {
    public RunInfo {
        tags = Collections.unmodifiableMap(new TreeMap<>(tags));
    }
}
