package io.perdure.store.postgres;

import io.perdure.core.store.Store;
import io.perdure.testkit.crash.CrashContract;
import org.junit.jupiter.api.AfterEach;

/** Processes that die in the middle of a run in a Postgres database. */
final class WorkflowCrashTest extends CrashContract {
    /** Ends leases as time would. */
    static final String END_LEASES = "UPDATE perdure.run_message SET ready_at = 0 WHERE token IS NOT NULL";

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
        database.run(END_LEASES);
    }

    @Override
    protected Store beside(Store store) {
        return open();
    }
}
