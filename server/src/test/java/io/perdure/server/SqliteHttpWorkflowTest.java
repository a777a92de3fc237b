package io.perdure.server;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.workflow.WorkflowContract;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** Everything workflows promise, by a client and its workers at the other end of HTTP, over SQLite. */
final class SqliteHttpWorkflowTest extends WorkflowContract {
    private static final AtomicInteger FILES = new AtomicInteger();

    @TempDir
    static Path folder;

    SqliteHttpWorkflowTest() {
        super(
                new HttpOpening(() -> "jdbc:sqlite:" + folder.resolve("http-" + FILES.incrementAndGet() + ".db")),
                SqliteHttpWorkflowTest::lose);
    }

    /** As another process would. */
    private static void lose(String url, RunId run) {
        ByteBuffer id = ByteBuffer.allocate(16)
                .putLong(run.value().getMostSignificantBits())
                .putLong(run.value().getLeastSignificantBits());
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM run_message WHERE tenant = ? AND run = ?")) {
            delete.setString(1, TenantId.DEFAULT.value());
            delete.setBytes(2, id.array());
            delete.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError("the message was not lost", e);
        }
    }
}
