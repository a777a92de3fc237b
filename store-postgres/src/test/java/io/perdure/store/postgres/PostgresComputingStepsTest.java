package io.perdure.store.postgres;

import io.perdure.testkit.workflow.ComputingStepsContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;

final class PostgresComputingStepsTest extends ComputingStepsContract {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // Made before all tests.
    private static FreshDatabase database;

    PostgresComputingStepsTest() {
        super(() -> database.text("perdure.schema=computing_" + SCHEMAS.incrementAndGet()));
    }

    @BeforeAll
    static void make() {
        database = new FreshDatabase();
    }
}
