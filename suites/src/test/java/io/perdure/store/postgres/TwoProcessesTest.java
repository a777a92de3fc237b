package io.perdure.store.postgres;

import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.contract.StoreContract;

/** Two stores on one schema pass the contract as four do: with two, every other call finds what the same store remembers. */
@Exhaustive
final class TwoProcessesTest extends StoreContract {
    TwoProcessesTest() {
        super(new VirtualTime(TestPostgres.url(), 2), 20_260_301);
    }
}
