package io.perdure.store.postgres;

import io.perdure.core.store.Store;
import io.perdure.testkit.crash.FailureTableContract;
import org.junit.jupiter.api.AfterEach;

/** What goes wrong with runs in a Postgres database. */
final class WorkflowFailuresTest extends FailureTableContract {
    private final FreshDatabase database = new FreshDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    @Override
    protected String url() {
        return database.text();
    }

    @Override
    protected void endLeases() {
        database.run(WorkflowCrashTest.END_LEASES);
    }

    @Override
    protected Store beside(Store store) {
        return open();
    }
}
