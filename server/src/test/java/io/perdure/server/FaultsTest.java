package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.WebServer;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.Document.Described;
import io.perdure.server.http.Gate;
import io.perdure.server.http.Pages;
import io.perdure.server.http.Problems;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import io.perdure.server.rest.AtOnce;
import io.perdure.server.rest.Rest;
import io.perdure.server.rest.Site;
import io.perdure.server.worker.WorkerRoutes;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every operation answers when it is not the caller who is wrong. */
class FaultsTest {
    private static final String SECRET = "planted, and nothing that a caller is told";

    @TempDir
    private Path directory;

    private Served served;

    @BeforeEach
    void serve() {
        served = new Served(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
    }

    @AfterEach
    void close() {
        served.close();
    }

    /** An operation and a request for it that would be answered well. */
    private record Asked(Described operation, Request request) {}

    private List<Asked> asked(List<Described> operations, int status) {
        Scenario scenario = new Scenario(served);
        List<Asked> all = new ArrayList<>();
        for (Described operation : operations) {
            // The one that tells whether the server is ready does so in its own words.
            if (operation.documents(status) && operation.path().startsWith("/v1/")) {
                all.add(new Asked(operation, scenario.good(operation).key(served.admin)));
            }
        }
        assertThat(all).hasSizeGreaterThan(50);
        return all;
    }

    private static void check(List<Asked> all, int status, Function<Request, Answer> ask, Consumer<Answer> more) {
        for (Asked each : all) {
            Answer answer = ask.apply(each.request());
            String id = each.operation().id();
            assertThat(answer.status()).as("%s: %s", id, answer.body()).isEqualTo(status);
            assertThat(answer.mediaType()).as(id).isEqualTo("application/problem+json");
            assertThat(SchemaCheck.faults(Document.schema("Problem"), answer.json()))
                    .as(id)
                    .isEmpty();
            assertThat(each.operation().codes(status)).as(id).contains(answer.code());
            more.accept(answer);
        }
    }

    @Test
    void aStoreThatIsClosedIs503() {
        // Not every operation of a worker asks the store.
        List<Asked> all = asked(Document.restOperations(), 503);
        served.engine().close();

        check(all, 503, served.asking::ask, answer -> {
            assertThat(answer.code()).isEqualTo("PD-203");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        });
        Served.until(() -> served.asking.ask("GET", "/readyz").status() == 503);
        assertThat(served.asking.ask("GET", "/livez").status()).isEqualTo(200);
    }

    /** Has a server whose gate throws this asked for everything that tells of the status. */
    private void plant(RuntimeException thrown, int status, Consumer<Answer> more) {
        List<Asked> all = asked(Document.operations(), status);
        Gate gate = _ -> {
            throw thrown;
        };
        Site site = new Site(
                served.engine()::tenant,
                gate,
                served.engine().keys(),
                new Waiting(1),
                new UnderWay(1),
                new Pages(),
                new AtOnce(new SystemEnvironment()),
                1_000_000,
                Site.OUTCOME_WAIT);
        Rest rest = new Rest(site, () -> true, () -> true, () -> "");
        WebServer planted = WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .shutdownHook(false)
                .routing(routing -> {
                    routing.register(
                            WorkerRoutes.PATH, new WorkerRoutes(served.engine()::tenant, gate, new UnderWay(1)));
                    rest.register(routing);
                    Problems.register(routing);
                })
                .build()
                .start();
        try (Asking asking = new Asking(URI.create("http://127.0.0.1:" + planted.port()))) {
            check(all, status, asking::ask, more);
        } finally {
            planted.stop();
        }
    }

    @Test
    void aFaultOfOursIs500AndSaysNothingOfItself() {
        plant(
                new IllegalStateException(SECRET),
                500,
                answer -> assertThat(answer.body()).doesNotContain("planted"));
    }

    @Test
    void strangersWhoAskTooOftenAre429() {
        plant(
                new RefusedException(ErrorCode.TOO_MANY_REQUESTS, "There were too many with keys that are not known."),
                429,
                answer -> assertThat(answer.headers().firstValue("Retry-After")).isPresent());
    }
}
