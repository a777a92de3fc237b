package io.perdure.core.store;

/**
 * Somebody who works on runs, and would have those that a commit makes due in the very call that makes them so: a signal and the
 * claim that it leads to are one transaction then, and one disk flush.
 */
public interface Taker {
    /** What to claim together with so many commits, each of which has room for one run. */
    ClaimRuns request(int commits);

    /**
     * Says what came of it, once for every commit that was handed over with this taker; nothing, where the commits failed or the
     * store takes nothing along. Called by the lane, which waits meanwhile.
     *
     * @param askedNanos when the call began, by the environment's clock
     */
    void given(int commits, Taken taken, long askedNanos);
}
