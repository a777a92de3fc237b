package io.perdure.testkit.contract;

import io.perdure.core.store.memory.MemoryStore;

/** The model holds itself to the contract. */
class MemoryStoreContractTest extends StoreContract {
    MemoryStoreContractTest() {
        super(MemoryStore::new);
    }
}
