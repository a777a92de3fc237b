package io.perdure.store.postgres;

import io.perdure.core.store.Store;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.crash.RandomProgramsContract;
import org.junit.jupiter.api.AfterEach;

/** Made-up workflows in a Postgres database whose processes die. */
@Exhaustive
final class RandomProgramsTest extends RandomProgramsContract {
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
