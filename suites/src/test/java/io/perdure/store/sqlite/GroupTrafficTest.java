package io.perdure.store.sqlite;

import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.queue.GroupTrafficContract;

/** Processes that compete for the groups of a queue in a SQLite file. */
@Exhaustive
final class GroupTrafficTest extends GroupTrafficContract {
    @Override
    protected String url() {
        return "jdbc:sqlite:" + folder.resolve("app.db");
    }
}
