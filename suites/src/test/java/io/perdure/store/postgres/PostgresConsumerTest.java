package io.perdure.store.postgres;

import io.perdure.testkit.queue.ConsumerContract;
import io.perdure.testkit.workflow.Opening;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** Consumers over Postgres, each test in a database of its own. */
final class PostgresConsumerTest extends ConsumerContract {
    private static final List<FreshDatabase> DATABASES = new ArrayList<>();

    PostgresConsumerTest() {
        super(Opening.embedded(PostgresConsumerTest::fresh));
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
