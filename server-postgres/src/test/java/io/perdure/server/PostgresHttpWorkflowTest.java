package io.perdure.server;

import io.perdure.core.Perdure;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.workflow.WorkflowContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Everything workflows promise, by a client and its workers at the other end of HTTP, over Postgres. */
@Exhaustive
final class PostgresHttpWorkflowTest extends WorkflowContract {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // Started before all tests.
    private static PrivatePostgres postgres;

    PostgresHttpWorkflowTest() {
        super(new HttpOpening(PostgresHttpWorkflowTest::freshUrl), PostgresHttpWorkflowTest::lose);
    }

    @BeforeAll
    static void start() {
        postgres = PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
        // Migrated once, and copied for each of the tests, of which there are hundreds.
        postgres.execute("CREATE DATABASE migrated");
        Perdure.open(postgres.url("migrated")).close();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    private static String freshUrl() {
        String name = "workflows_" + DATABASES.incrementAndGet();
        postgres.execute("CREATE DATABASE " + name + " TEMPLATE migrated");
        return postgres.url(name);
    }

    /** As another process would. */
    private static void lose(String url, RunId run) {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM perdure.run_message WHERE tenant = ? AND run = ?")) {
            delete.setString(1, TenantId.DEFAULT.value());
            delete.setObject(2, run.value());
            delete.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError("the message was not lost", e);
        }
    }
}
