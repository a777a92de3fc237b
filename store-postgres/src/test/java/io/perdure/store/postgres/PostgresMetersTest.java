package io.perdure.store.postgres;

import io.perdure.testkit.workflow.MetersContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** Meters over Postgres, each test in a database of its own. */
final class PostgresMetersTest extends MetersContract {
    private static final List<FreshDatabase> DATABASES = new ArrayList<>();

    PostgresMetersTest() {
        super(PostgresMetersTest::fresh);
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
