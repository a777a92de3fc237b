package io.perdure.core.store;

import java.util.List;

/**
 * The answer to {@link Store#commit(Batch, ClaimRuns)}.
 *
 * @param outcomes one for each commit
 * @param taken the runs that were leased in the same call
 */
public record Committed(List<Outcome> outcomes, Taken taken) {
    public Committed {
        outcomes = List.copyOf(outcomes);
    }
}
