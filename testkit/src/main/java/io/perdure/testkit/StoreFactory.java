package io.perdure.testkit;

import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;

/** Opens fresh, empty stores of one kind for the suites. */
public interface StoreFactory {
    /**
     * Opens an empty store whose own time is this clock's, and which holds itself to these limits where a store can be told:
     * events and mailbox of a run, the deduplication window, the lanes.
     */
    Store open(VirtualClock clock, Limits limits);
}
