package io.perdure.store.sqlite;

import io.perdure.core.store.Store;
import io.perdure.testkit.crash.CrashContract;

/** Processes that die in the middle of a run in a SQLite file. */
final class WorkflowCrashTest extends CrashContract {
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
