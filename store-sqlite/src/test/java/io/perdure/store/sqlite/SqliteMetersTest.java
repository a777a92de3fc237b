package io.perdure.store.sqlite;

import io.perdure.testkit.workflow.MetersContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** Meters over SQLite, each test on a file of its own. */
final class SqliteMetersTest extends MetersContract {
    @TempDir
    static Path folder;

    private static final AtomicInteger FILES = new AtomicInteger();

    SqliteMetersTest() {
        super(() -> "jdbc:sqlite:" + folder.resolve("meters-" + FILES.incrementAndGet() + ".db"));
    }
}
