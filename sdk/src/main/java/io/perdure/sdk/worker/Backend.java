package io.perdure.sdk.worker;

import java.util.List;

/**
 * What a worker needs of whoever keeps the runs: the engine in the same process, or a server. Safe for many threads. What it
 * throws is a {@code PerdureException}; a commit that threw {@code PD-201} may or may not have been applied, and the worker drops
 * its run, to be rebuilt from the history.
 */
public interface Backend {
    /** Leases runs that are due, and reads their histories after that. */
    Claimed claim(Claim claim);

    /** Hands over what happened to a run. Those of one run are handed over one after another. */
    Handed commit(Progress progress);

    /** Lengthens leases; answers those that are lost: the run was taken by somebody else, or is over. */
    List<Held> extend(List<Held> leases);

    /** Calls soon after a run that the worker serves may have become due. Calls can be lost, doubled or wrong. */
    Watch watch(Runnable listener);

    /** A commit on its way. */
    interface Handed {
        /** Waits until the answer is durable. Interrupting does not end the wait. */
        Answer await();
    }

    /** A listener's registration. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
