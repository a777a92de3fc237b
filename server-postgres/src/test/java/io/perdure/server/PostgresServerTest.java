package io.perdure.server;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What differs where the store is a Postgres: several servers can be in front of it. */
class PostgresServerTest {
    private static PrivatePostgres postgres;

    @BeforeAll
    static void startPostgres() {
        postgres = PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
    }

    @AfterAll
    static void stopPostgres() {
        postgres.close();
    }

    private static ServerOptions options() {
        return ServerOptions.of(postgres.url()).port(0);
    }

    @Test
    void whatIsSentAgainToAnotherServerIsDoneOnce() {
        try (PerdureServer first = PerdureServer.start(options());
                PerdureServer second = PerdureServer.start(options());
                Asking one = new Asking(first.url());
                Asking other = new Asking(second.url())) {
            RepeatedRequests.check(List.of(one, other, one), first.engine());
        }
    }

    @TestFactory
    Stream<DynamicTest> goodRequestsAreAnsweredAsDescribed() {
        Served served = new Served(options());
        return GoodRequests.tests(served).onClose(served::close);
    }

    @TestFactory
    Stream<DynamicTest> aChangeThatIsSentAgainToAnotherServerIsAnsweredAsTheFirstTime() {
        Served served = new Served(options());
        PerdureServer second = PerdureServer.start(options());
        Asking other = new Asking(second.url());
        return RepeatedChanges.tests(served, List.of(served.asking, other, served.asking))
                .onClose(() -> {
                    other.close();
                    second.close();
                    served.close();
                });
    }

    @Test
    void nothingThatIsSentMakesTheServerFailHangOrForget() throws Exception {
        try (PerdureServer server = PerdureServer.start(options().maxBodyBytes(64 * 1024))) {
            new HostileRequests(server, 2_000, 0).check();
        }
    }

    @Test
    void pollsAreAnsweredWhenTheServerCloses() {
        try (PerdureServer server = PerdureServer.start(options())) {
            ClosingPolls.check(server);
        }
    }
}
