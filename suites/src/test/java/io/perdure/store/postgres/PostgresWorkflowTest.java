package io.perdure.store.postgres;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.workflow.WorkflowContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** Workflows over Postgres, each test in a database of its own. */
final class PostgresWorkflowTest extends WorkflowContract {
    private static final List<FreshDatabase> DATABASES = new ArrayList<>();

    PostgresWorkflowTest() {
        super(PostgresWorkflowTest::fresh, PostgresWorkflowTest::lose);
    }

    private static void lose(String url, RunId run) {
        DATABASES.stream()
                .filter(database -> database.text().equals(url))
                .forEach(database -> database.run("DELETE FROM perdure.run_message WHERE tenant = '%s' AND run = '%s'"
                        .formatted(TenantId.DEFAULT, run)));
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
