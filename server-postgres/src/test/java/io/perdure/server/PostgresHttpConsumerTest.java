package io.perdure.server;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.queue.ConsumerContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Everything a consumer promises, at the other end of HTTP, over Postgres. */
@Exhaustive
final class PostgresHttpConsumerTest extends ConsumerContract {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // Started before all tests.
    private static PrivatePostgres postgres;

    PostgresHttpConsumerTest() {
        super(new HttpOpening(PostgresHttpConsumerTest::freshUrl));
    }

    @BeforeAll
    static void start() {
        postgres = PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    private static String freshUrl() {
        String name = "consumers_" + DATABASES.incrementAndGet();
        postgres.execute("CREATE DATABASE " + name);
        return postgres.url(name);
    }
}
