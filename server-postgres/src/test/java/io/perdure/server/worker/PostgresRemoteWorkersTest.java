package io.perdure.server.worker;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.testkit.Exhaustive;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Over a Postgres. */
@Exhaustive
final class PostgresRemoteWorkersTest extends RemoteWorkersContract {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // Started before all tests.
    private static PrivatePostgres postgres;

    @BeforeAll
    static void start() {
        postgres = PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @Override
    String freshUrl() {
        String name = "remote_" + DATABASES.incrementAndGet();
        postgres.execute("CREATE DATABASE " + name);
        return postgres.url(name);
    }
}
