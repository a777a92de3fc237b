package io.perdure.sdk.worker;

import io.perdure.sdk.id.RunId;
import java.util.List;
import java.util.Optional;

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

    /** Reads the mailbox of a run anew; empty where there is no such run any more. */
    Optional<Mailbox> mailbox(Held held);

    /** Lengthens leases; answers those that are lost: the run was taken by somebody else, or is over. */
    List<Held> extend(List<Held> leases);

    /** Calls the listener soon after something happened that concerns the worker. Calls can be lost, doubled or wrong. */
    Watch watch(Listener listener);

    /** Is told what may have happened. Must be quick and must not throw. */
    interface Listener {
        /** A run that the worker serves may have become due. */
        void due();

        /** A run may have ended, or been parked: whoever works on it does so in vain. */
        void ended(RunId run);
    }

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
