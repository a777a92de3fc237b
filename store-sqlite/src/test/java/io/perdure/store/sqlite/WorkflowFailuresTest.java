package io.perdure.store.sqlite;

import io.perdure.core.store.Store;
import io.perdure.testkit.crash.FailureTableContract;

/** What goes wrong with runs in a SQLite file. */
final class WorkflowFailuresTest extends FailureTableContract {
    @Override
    protected String url() {
        return "jdbc:sqlite:" + folder.resolve("app.db");
    }

    @Override
    protected void endLeases() {
        // The next owner frees them.
    }

    @Override
    protected Store beside(Store store) {
        return store;
    }
}
