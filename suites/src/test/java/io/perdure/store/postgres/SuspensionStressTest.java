package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.crash.SuspensionStressContract;
import org.junit.jupiter.api.AfterEach;

/** Runs in a Postgres database, struck as they suspend. */
@Exhaustive
final class SuspensionStressTest extends SuspensionStressContract {
    private final FreshDatabase database = new FreshDatabase();

    /** Locks are taken in one order, so nobody waits for somebody who waits for him: that costs a second, and the commit. */
    @AfterEach
    void nobodyWaitedCrosswise() {
        try (database) {
            assertThat(database.read("SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()"))
                    .as("deadlocks")
                    .isEqualTo("0");
        }
    }

    @Override
    protected String url() {
        return database.text();
    }

    @Override
    protected boolean takesAlong() {
        return true;
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
