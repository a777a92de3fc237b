package io.perdure.store.sqlite;

import io.perdure.testkit.workflow.WorkflowContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** Workflows over SQLite, each test on a file of its own. */
final class SqliteWorkflowTest extends WorkflowContract {
    @TempDir
    static Path folder;

    private static final AtomicInteger FILES = new AtomicInteger();

    SqliteWorkflowTest() {
        super(() -> "jdbc:sqlite:" + folder.resolve("workflows-" + FILES.incrementAndGet() + ".db"));
    }
}
