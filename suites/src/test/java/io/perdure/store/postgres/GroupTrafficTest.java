package io.perdure.store.postgres;

import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.queue.GroupTrafficContract;
import org.junit.jupiter.api.AfterEach;

/** Processes that compete for the groups of a queue in a Postgres database. */
@Exhaustive
final class GroupTrafficTest extends GroupTrafficContract {
    private final FreshDatabase database = new FreshDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    @Override
    protected String url() {
        return database.text();
    }
}
