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

    /**
     * There is no server to fail over: the database is this process's own open files. What stands for it is that they are closed
     * under the engine, in the midst of what it does, and that the file is opened anew.
     */
    @Override
    protected Store failOver(Store store, Runnable meanwhile) {
        store.close();
        meanwhile.run();
        return open();
    }
}
