package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.WorkflowName;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Asks for runs that are due.
 *
 * @param served what the worker has code for; who stands first is served first
 * @param max how many runs it has room for
 * @param reclaims whether runs may be among them whose lease ran out in another worker's hands
 */
public record Claim(List<Served> served, int max, boolean reclaims) {
    public Claim {
        served = List.copyOf(served);
    }

    /** A workflow, and the versions of it that a worker has code for. */
    public record Served(WorkflowName workflow, Set<Integer> versions) {
        public Served {
            // In one order in every process, so that the trace of one seed is always the same.
            versions = Collections.unmodifiableSet(new TreeSet<>(versions));
            if (versions.isEmpty() || versions.stream().anyMatch(version -> version < 1)) {
                throw new InvalidValueException(
                        ErrorCode.MALFORMED_COMMIT,
                        "A worker serves a version of workflow %s at least, and versions are 1 or more."
                                .formatted(workflow));
            }
        }
    }
}
