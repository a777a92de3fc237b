package io.perdure.store.sqlite;

import io.perdure.testkit.contract.ApiKeysContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** API keys over SQLite, each test on a file of its own. */
final class SqliteApiKeysTest extends ApiKeysContract {
    @TempDir
    static Path folder;

    private static final AtomicInteger FILES = new AtomicInteger();

    SqliteApiKeysTest() {
        super(() -> "jdbc:sqlite:" + folder.resolve("keys-" + FILES.incrementAndGet() + ".db"));
    }
}
