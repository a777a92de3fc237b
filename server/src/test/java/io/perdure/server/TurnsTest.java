package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.WebServer;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.http.Caller;
import io.perdure.server.http.Pages;
import io.perdure.server.http.Problems;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import io.perdure.server.rest.AtOnce;
import io.perdure.server.rest.Rest;
import io.perdure.server.rest.Site;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that may be long take turns, of which there is one here; whoever waits for something to happen has none. */
class TurnsTest {
    @TempDir
    private Path directory;

    private final Waiting waiting = new Waiting(10);
    private final Pages pages = new Pages(1, Duration.ofSeconds(1));
    private Served served;
    private WebServer web;
    private Asking asking;

    @BeforeEach
    void serve() {
        served = new Served(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
        Site site = new Site(
                served.engine()::tenant,
                _ -> new Caller(TenantId.DEFAULT, Role.ADMIN, "test"),
                served.engine().keys(),
                waiting,
                new UnderWay(1),
                pages,
                new AtOnce(new SystemEnvironment()),
                1_000_000,
                Site.OUTCOME_WAIT);
        Rest rest = new Rest(site, () -> true, () -> true, () -> "");
        web = WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .shutdownHook(false)
                .routing(routing -> {
                    rest.register(routing);
                    Problems.register(routing);
                })
                .build()
                .start();
        asking = new Asking(URI.create("http://127.0.0.1:" + web.port()));
    }

    @AfterEach
    void close() {
        asking.close();
        web.stop();
        served.close();
    }

    /** Follows a run of which nothing more happens for now. */
    private CompletableFuture<Answer> follow(RunId run) {
        CompletableFuture<Answer> follower =
                asking.later(new Request("GET", "/v1/runs/" + run + "/history?from=1&wait=30"));
        Served.until(() -> waiting.count() == 1);
        return follower;
    }

    @Test
    void whoFollowsAnIdleRunKeepsNobodyFromReadingLists() {
        RunId run = served.idleRun();
        CompletableFuture<Answer> follower = follow(run);

        assertThat(asking.ask("GET", "/v1/runs").status()).isEqualTo(200);

        served.engine().cancel(run, "enough");
        Answer answer = follower.join();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("events").size()).isEqualTo(1);
        assertThat(answer.json().path("status").asString()).isEqualTo("cancelled");
    }

    @Test
    void whatAFollowerWaitedForIsReadInATurnOfItsOwn() {
        RunId run = served.idleRun();
        CompletableFuture<Answer> follower = follow(run);

        try (UnderWay.Place _ = pages.enter(TenantId.DEFAULT)) {
            served.engine().cancel(run, "enough");
            assertThat(follower.join().code()).isEqualTo("PD-605");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/runs", "/v1/runs/count", "/v1/workflows/order/runs/count", "/v1/queues"})
    void whatMayHaveMuchToReadTakesTurns(String path) {
        try (UnderWay.Place _ = pages.enter(TenantId.DEFAULT)) {
            Answer refused = asking.ask("GET", path);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.code()).isEqualTo("PD-605");
        }
        assertThat(asking.ask("GET", path).status()).isEqualTo(200);
    }
}
