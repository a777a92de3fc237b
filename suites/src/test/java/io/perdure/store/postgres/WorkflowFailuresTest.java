package io.perdure.store.postgres;

import io.perdure.core.store.Store;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.testkit.crash.FailureTableContract;
import org.junit.jupiter.api.AfterEach;

/** What goes wrong with runs in a Postgres database. */
final class WorkflowFailuresTest extends FailureTableContract {
    private final PrivatePostgres server = TestPostgres.breakable();
    private final FreshDatabase database = new FreshDatabase(server.url());

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

    /** The server falls as it does when its machine is lost, and another one comes up with all that was committed. */
    @Override
    protected Store failOver(Store store, Runnable meanwhile) {
        server.crash();
        try {
            meanwhile.run();
        } finally {
            server.restart();
        }
        return store;
    }
}
