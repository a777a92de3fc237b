package io.perdure.store.sqlite;

import io.perdure.testkit.workflow.ComputingStepsContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

final class SqliteComputingStepsTest extends ComputingStepsContract {
    private static final AtomicInteger FILES = new AtomicInteger();

    @TempDir
    static Path folder;

    SqliteComputingStepsTest() {
        super(() -> "jdbc:sqlite:" + folder.resolve("computing-" + FILES.incrementAndGet() + ".db"));
    }
}
