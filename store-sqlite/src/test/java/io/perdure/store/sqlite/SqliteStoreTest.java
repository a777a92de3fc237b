package io.perdure.store.sqlite;

import io.perdure.testkit.contract.StoreContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** The SQLite store passes the whole contract, each test on a file of its own. */
final class SqliteStoreTest extends StoreContract {
    @TempDir
    static Path folder;

    private static final AtomicInteger FILES = new AtomicInteger();

    SqliteStoreTest() {
        super((clock, limits) -> SqliteStore.open(DatabaseFile.at(newFile()), clock, limits));
    }

    private static Path newFile() {
        return folder.resolve("contract-" + FILES.incrementAndGet() + ".db");
    }
}
