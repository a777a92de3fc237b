package io.perdure.store.sqlite;

import io.perdure.core.store.Store;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.crash.SuspensionStressContract;

/** Runs in a SQLite file, struck as they suspend. */
@Exhaustive
final class SuspensionStressTest extends SuspensionStressContract {
    @Override
    protected String url() {
        return "jdbc:sqlite:" + folder.resolve("app.db");
    }

    @Override
    protected void endLeases() {
        // Nobody dies here.
    }

    @Override
    protected Store beside(Store store) {
        return store;
    }
}
