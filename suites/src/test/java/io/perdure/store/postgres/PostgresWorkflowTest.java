package io.perdure.store.postgres;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.workflow.WorkflowContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;

/** Workflows over Postgres, each test in a schema of its own: to make and drop a database takes as long as the migrations, twice. */
final class PostgresWorkflowTest extends WorkflowContract {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // Made before all tests.
    private static FreshDatabase database;

    PostgresWorkflowTest() {
        super(PostgresWorkflowTest::fresh, PostgresWorkflowTest::lose);
    }

    /** It goes with its server: to drop so many tables takes longer than a statement may. */
    @BeforeAll
    static void make() {
        database = new FreshDatabase();
    }

    private static String fresh() {
        return database.text("perdure.schema=workflows_" + SCHEMAS.incrementAndGet());
    }

    private static void lose(String url, RunId run) {
        database.run("DELETE FROM %s.run_message WHERE tenant = '%s' AND run = '%s'"
                .formatted(PostgresUrl.parse(url).schema(), TenantId.DEFAULT, run));
    }
}
