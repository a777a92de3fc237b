package io.perdure.testkit.contract;

import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.VirtualClock;

/** The model holds itself to the contract. */
class MemoryStoreContractTest extends StoreContract {
    MemoryStoreContractTest() {
        super(new StoreFactory() {
            @Override
            public Store open(VirtualClock clock, Limits limits) {
                return new MemoryStore(clock, limits);
            }

            @Override
            public void loseMessage(Store store, TenantId tenant, RunId run) {
                ((MemoryStore) store).loseMessage(tenant, run);
            }
        });
    }
}
