package io.perdure.sdk.worker;

import io.perdure.sdk.id.WorkflowName;
import java.util.List;
import java.util.Set;

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
    public record Served(WorkflowName workflow, Set<Integer> versions) {}
}
