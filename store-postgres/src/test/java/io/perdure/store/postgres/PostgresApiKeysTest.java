package io.perdure.store.postgres;

import io.perdure.testkit.contract.ApiKeysContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** API keys over Postgres, each test in a database of its own. */
final class PostgresApiKeysTest extends ApiKeysContract {
    private static final List<FreshDatabase> DATABASES = new ArrayList<>();

    PostgresApiKeysTest() {
        super(PostgresApiKeysTest::fresh);
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
