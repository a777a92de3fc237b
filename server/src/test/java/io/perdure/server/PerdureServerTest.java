package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.client.PerdureClient;
import io.perdure.core.Perdure;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.Event.RunCancelled;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerdureServerTest {
    @TempDir
    private Path directory;

    private String store() {
        return "jdbc:sqlite:" + directory.resolve("store.db");
    }

    private ServerOptions options() {
        return ServerOptions.of(store()).port(0).drain(Duration.ofSeconds(60));
    }

    private void makeKey() {
        try (Perdure engine = Perdure.open(store())) {
            engine.keys().create(TenantId.DEFAULT, "first", Role.ADMIN, null);
        }
    }

    private void assertRefused(ServerOptions options, String why) {
        assertThatThrownBy(() -> PerdureServer.start(options))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("PD-610")
                .hasMessageContaining(why);
        // The store was let go of.
        try (Perdure engine = Perdure.open(store())) {
            assertThat(engine.serve().queues()).isEmpty();
        }
    }

    @Test
    void othersCannotReachAServerWithoutAKey() {
        assertRefused(options().host("0.0.0.0").behindProxy(true), "there is no key yet");
    }

    @Test
    void othersCannotReachAServerWithoutTLSOrAProxy() {
        makeKey();
        assertRefused(options().host("0.0.0.0"), "neither TLS nor a proxy");
    }

    @Test
    void withAKeyAndAProxyTheyCan() {
        makeKey();
        try (PerdureServer server =
                        PerdureServer.start(options().host("0.0.0.0").behindProxy(true));
                Asking asking = new Asking(URI.create("http://127.0.0.1:" + server.port()))) {
            assertThat(asking.ask("GET", "/readyz").status()).isEqualTo(200);
            assertThat(asking.ask("GET", "/v1/runs").status()).isEqualTo(401);
        }
    }

    @Test
    void aPortThatIsTakenAndFilesThatAreNoCertificateAreRefused() throws Exception {
        Path nothing = Files.createFile(directory.resolve("nothing.pem"));
        assertRefused(options().tls(nothing, nothing), "tls");
        assertRefused(options().tls(directory.resolve("absent.pem"), nothing), "cannot be read");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertRefused(options().port(taken.getLocalPort()), "cannot listen");
        }
    }

    @Test
    void settingsOutOfBoundsAreNamed() {
        assertThatThrownBy(() -> options().port(70_000)).hasMessageContaining("port");
        assertThatThrownBy(() -> options().maxWaiting(0)).hasMessageContaining("maxWaiting");
        assertThatThrownBy(() -> options().maxRequests(0)).hasMessageContaining("maxRequests");
        assertThatThrownBy(() -> options().maxRequests(1_000_001)).hasMessageContaining("maxRequests");
        assertThatThrownBy(() -> options().maxBodyBytes(0)).hasMessageContaining("maxBodyBytes");
        assertThatThrownBy(() -> options().maxRetentionDays(0)).hasMessageContaining("maxRetentionDays");
        assertThatThrownBy(() -> options().maxRunEvents(1_000_001)).hasMessageContaining("maxRunEvents");
        assertThatThrownBy(() -> options().sweeperInterval(Duration.ZERO)).hasMessageContaining("sweeperInterval");
        assertThatThrownBy(() -> options().drain(Duration.ofSeconds(-1))).hasMessageContaining("drain");
    }

    @Test
    void aServerWhoseFileIsAwayIsNotReadyUntilItIsBack() throws Exception {
        Path file = directory.resolve("store.db");
        Path away = directory.resolve("away.db");
        try (PerdureServer server = PerdureServer.start(options());
                Asking asking = new Asking(server.url())) {
            assertThat(asking.ask("GET", "/readyz").status()).isEqualTo(200);
            Files.move(file, away);
            Served.until(() -> asking.ask("GET", "/readyz").status() == 503);
            assertThat(asking.ask("GET", "/livez").status()).isEqualTo(200);
            Files.move(away, file);
            Served.until(() -> asking.ask("GET", "/readyz").status() == 200);
        }
    }

    @Test
    void whoWaitsAndWhoIsBeingAnsweredWhenTheServerClosesIsAnswered() {
        try (PerdureServer server = PerdureServer.start(options())) {
            ClosingPolls.check(server);
        }
    }

    @Test
    void whatIsSentAgainUnderOneRequestIdIsDoneOnce() {
        try (PerdureServer server = PerdureServer.start(options());
                Asking asking = new Asking(server.url())) {
            RepeatedRequests.check(List.of(asking, asking), server.engine());
        }
    }

    @Test
    void aRunIsCancelledOverHttpHoweverLongTheReason() {
        String reason = "zu spät 😀 ".repeat(10_000);
        try (PerdureServer server = PerdureServer.start(options());
                PerdureClient client = PerdureClient.connect(server.url().toString())) {
            RunId run =
                    client.start("order", Json.of("1"), StartOptions.defaults()).id();

            assertThat(client.cancel(run, reason)).isTrue();

            RunCancelled kept =
                    (RunCancelled) client.run(run).history().getLast().event();
            assertThat(kept.reason()).hasSizeGreaterThan(1_000).endsWith("…");
            assertThat(reason).startsWith(kept.reason().replace("…", ""));
        }
    }

    @Test
    void progressIsToldLineByLine() {
        try (PerdureServer server = PerdureServer.start(options());
                Asking asking = new Asking(server.url())) {
            MessageQueue queue = server.engine().createQueue("mails");
            queue.sendAll(IntStream.range(0, 100)
                    .mapToObj(i -> Outgoing.of(Json.number(i)))
                    .toList());
            queue.receive(Receiving.upTo(100)).forEach(delivery -> delivery.reject("as it should"));
            Answer answer = asking.ask(new Request("POST", "/v1/queues/mails/dlq/redrive", "{\"all\":true}")
                    .with("Accept", "application/x-ndjson"));
            List<String> lines = answer.body().lines().toList();
            assertThat(answer.mediaType()).isEqualTo("application/x-ndjson");
            assertThat(lines).hasSizeGreaterThan(1);
            assertThat(lines.getLast()).isEqualTo("{\"count\":100,\"missing\":[]}");
        }
    }
}
