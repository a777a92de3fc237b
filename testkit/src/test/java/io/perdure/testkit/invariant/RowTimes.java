package io.perdure.testkit.invariant;

import io.perdure.core.store.RunRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A run's row with other times: what a store would say that got them wrong. */
final class RowTimes {
    private RowTimes() {}

    static RunRow of(RunRow row, @Nullable Instant deadline, @Nullable Instant completedAt) {
        return new RunRow(
                row.tenant(),
                row.id(),
                row.definition(),
                row.version(),
                row.status(),
                row.output(),
                row.error(),
                row.idempotencyKey(),
                row.workflowId(),
                row.parent(),
                row.tags(),
                row.retentionDays(),
                row.wakes(),
                deadline,
                row.startedAt(),
                completedAt);
    }
}
