package io.perdure.core.store;

import io.perdure.core.store.Committed.WokenRun;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who works on runs, and would have the one that a commit makes due in the very call that makes it so: a signal and the claim
 * that it leads to are one transaction then, and one disk flush. It is asked where the commit travels alone; among many, one claim for
 * all of them does better.
 */
public interface Taker {
    /** What to claim; null where it would have nothing after all. */
    @Nullable
    ClaimRuns request();

    /**
     * Says what came of it, once for every commit that was handed over with this taker. Called by the lane, which waits meanwhile, before
     * the commit is answered; throws nothing.
     *
     * @param woken null where nothing was taken, whatever became of the commit
     * @param askedNanos when the call began, by the environment's clock
     */
    void given(@Nullable WokenRun woken, long askedNanos);
}
