package io.perdure.core.store;

import java.util.List;

/**
 * Commits that travel together, numbered so that a batch whose answer was lost can be sent again: applied once, answered
 * truly.
 *
 * @param lane the lane it goes by; a lane has at most one batch under way
 * @param number 1 for a lane's first batch, then one more each time
 * @param commits what to apply; each belongs to one tenant, and the batch may mix tenants
 */
public record Batch(LaneId lane, long number, List<Commit> commits) {
    public Batch {
        commits = List.copyOf(commits);
        Bounds.commits(commits.size());
        Commit.require(number >= 1, "The batches of a lane are numbered from 1.");
    }
}
