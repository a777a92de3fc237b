package io.perdure.store.sqlite;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
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
        super(
                () -> "jdbc:sqlite:" + folder.resolve("workflows-" + FILES.incrementAndGet() + ".db"),
                SqliteWorkflowTest::lose);
    }

    /** As another process would. */
    private static void lose(String url, RunId run) {
        DatabaseFile file = DatabaseFile.at(Path.of(url.substring("jdbc:sqlite:".length())));
        try (Session session = file.openWriter()) {
            session.execute("BEGIN IMMEDIATE");
            session.update(
                    "DELETE FROM run_message WHERE tenant = ? AND run = ?", TenantId.DEFAULT.value(), run.value());
            session.execute("COMMIT");
        }
    }
}
