package io.perdure.testkit;

import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;

/** Opens fresh, empty stores of one kind for the suites. */
public interface StoreFactory {
    /**
     * Opens an empty store whose own time is this clock's, and which holds itself to these limits where a store can be told:
     * events and mailbox of a run, the deduplication window, the lanes.
     */
    Store open(VirtualClock clock, Limits limits);

    /**
     * Takes the message of a run away behind the back of a store that this factory opened, as no store does: the contract asks what
     * is found out about it.
     */
    default void loseMessage(Store store, TenantId tenant, RunId run) {
        throw new UnsupportedOperationException("This factory does not know its way around in " + store + ".");
    }
}
