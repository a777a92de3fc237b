package io.perdure.store.sqlite;

import io.perdure.core.store.Store;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.crash.RandomProgramsContract;

/** Made-up workflows in a SQLite file whose processes die. */
@Exhaustive
final class RandomProgramsTest extends RandomProgramsContract {
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
