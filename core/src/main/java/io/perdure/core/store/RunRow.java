package io.perdure.core.store;

import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunInfo;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run without its history.
 *
 * @param definition what it was started as
 * @param version the version it runs: the one it was started with, taken at its first claim, or moved to by a resume
 * @param output its result, once completed
 * @param error why it failed, was cancelled or is parked, while it is
 * @param wakes how many signals it has had
 * @param completedAt when it ended, while it is ended
 */
public record RunRow(
        TenantId tenant,
        RunId id,
        RunCommit.Definition definition,
        @Nullable Integer version,
        RunStatus status,
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
    /** The run as its users see it. */
    public RunInfo info() {
        return new RunInfo(
                id,
                definition.workflow(),
                version,
                definition.kind(),
                status,
                definition.input(),
                output,
                error,
                idempotencyKey,
                workflowId,
                parent,
                tags,
                retentionDays,
                wakes,
                deadline,
                startedAt,
                completedAt);
    }
}
