package io.perdure.store.postgres;

import io.perdure.testkit.contract.StoreContract;

/**
 * Two stores on one schema hold to every rule: with two, every other call finds what the same store remembers. Random operations and simulations are
 * left to {@linkplain FourProcessesTest four}.
 */
final class TwoProcessesTest extends StoreContract {
    TwoProcessesTest() {
        super(new VirtualTime(TestPostgres.url(), 2), new long[0]);
    }
}
