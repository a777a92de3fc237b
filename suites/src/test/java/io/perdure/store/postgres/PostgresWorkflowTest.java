package io.perdure.store.postgres;

import io.perdure.core.Perdure;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.workflow.WorkflowContract;
import org.junit.jupiter.api.BeforeAll;

/** Workflows over Postgres, each test in a database of its own: a copy of one that was migrated once. */
final class PostgresWorkflowTest extends WorkflowContract {
    @SuppressWarnings("NullAway.Init") // Made before all tests.
    private static FreshDatabase migrated;

    PostgresWorkflowTest() {
        super(() -> migrated.copy().text(), PostgresWorkflowTest::lose);
    }

    /** The databases go with their server: to drop one waits for a checkpoint. */
    @BeforeAll
    static void make() {
        migrated = new FreshDatabase();
        Perdure.open(migrated.text()).close();
    }

    private static void lose(String url, RunId run) {
        TestPostgres.run(
                PostgresUrl.parse(url),
                "DELETE FROM perdure.run_message WHERE tenant = '%s' AND run = '%s'".formatted(TenantId.DEFAULT, run));
    }
}
