package io.perdure.sdk.run;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a recovery sweep has mended.
 *
 * @param recovered the first 1,000 of the runs, in the order in which they were found
 * @param counts how many runs for each reason, all of them
 */
public record RecoveryReport(List<Recovered> recovered, Map<RecoveryReason, Long> counts) {
    public RecoveryReport {
        recovered = List.copyOf(recovered);
        Map<RecoveryReason, Long> all = new EnumMap<>(RecoveryReason.class);
        for (RecoveryReason reason : RecoveryReason.values()) {
            all.put(reason, counts.getOrDefault(reason, 0L));
        }
        counts = Collections.unmodifiableMap(all);
    }

    /** How many runs it has mended. */
    public long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** A run that goes on again, or has ended as it should have. */
    public record Recovered(RunId run, WorkflowName workflow, RecoveryReason reason) {}
}
