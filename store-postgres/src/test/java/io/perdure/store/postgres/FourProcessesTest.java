package io.perdure.store.postgres;

import io.perdure.testkit.contract.StoreContract;

/**
 * Four stores on one schema pass the contract as if they were one: every call goes to another, those too that send a
 * lane's batch again. So nothing that a store remembers in memory is needed for a right answer.
 */
final class FourProcessesTest extends StoreContract {
    FourProcessesTest() {
        super(new VirtualTime(TestPostgres.url(), 4)::open, 4_242_424_242L);
    }
}
