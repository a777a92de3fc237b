package io.perdure.store.postgres;

import io.perdure.testkit.contract.StoreContract;

/** The Postgres store passes the whole contract, on a real server. */
final class PostgresStoreTest extends StoreContract {
    PostgresStoreTest() {
        super(new VirtualTime(TestPostgres.url(), 1), 2);
    }
}
