package io.perdure.store.postgres;

import io.perdure.testkit.workflow.WorkflowContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** Workflows over Postgres, each test in a database of its own. */
final class PostgresWorkflowTest extends WorkflowContract {
    private static final List<FreshDatabase> DATABASES = new ArrayList<>();

    PostgresWorkflowTest() {
        super(PostgresWorkflowTest::fresh);
    }

    private static String fresh() {
        FreshDatabase database = new FreshDatabase();
        DATABASES.add(database);
        return database.text();
    }

    @AfterAll
    static void dropAll() {
        DATABASES.forEach(FreshDatabase::close);
    }
}
