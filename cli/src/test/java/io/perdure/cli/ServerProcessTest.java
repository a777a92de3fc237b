package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.PerdureClient;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers as they are started and ended for good: processes, with signals and exit codes. */
@Timeout(120)
class ServerProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What the JVM answers with when SIGTERM ended it, after what it had to do. */
    private static final int TERMINATED = 128 + 15;

    private static final int WRONG_USAGE = 2;

    @TempDir
    Path folder;

    private CommandProcess serve() throws IOException {
        // Room for one that waits, so that a second one is told when the first one does.
        return CommandProcess.start(
                folder,
                "server",
                "--store",
                "jdbc:sqlite:" + folder.resolve("app.db"),
                "--port",
                "0",
                "--max-waiting",
                "1");
    }

    private CommandProcess develop() throws IOException {
        return CommandProcess.start(folder, "dev", "--port", "0");
    }

    private static CompletableFuture<HttpResponse<String>> get(HttpClient http, String url) {
        return http.sendAsync(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }

    @Test
    void aServerThatIsToldToEndAnswersWhoWaitsAndFindsEverythingAgain() throws IOException, InterruptedException {
        RunId run;
        try (CommandProcess server = serve();
                HttpClient http = HttpClient.newHttpClient()) {
            String url = server.urlInLine(1);
            assertThat(get(http, url + "/livez").join().statusCode()).isEqualTo(200);
            assertThat(get(http, url + "/readyz").join().statusCode()).isEqualTo(200);
            try (PerdureClient client = PerdureClient.connect(url)) {
                run = client.start("nobodys", Json.number(7), StartOptions.defaults())
                        .id();
            }
            HttpResponse<String> answer = whoWaited(server, http, url + "/v1/runs/" + run + "/result?wait=30");

            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(answer.body()).contains("\"status\":\"running\"");
            assertThat(server.ended()).isEqualTo(TERMINATED);
            assertThat(server.err().lines()).last().asString().endsWith(" INFO io.perdure.server: Stopped.");
        }
        try (CommandProcess again = serve();
                PerdureClient client = PerdureClient.connect(again.urlInLine(1))) {
            assertThat(client.run(run).info())
                    .satisfies(info -> assertThat(info.status()).isEqualTo(RunStatus.RUNNING))
                    .satisfies(info -> assertThat(info.input()).isEqualTo(Json.number(7)));
        }
    }

    /** Tells the server to end while one request waits, and answers what that one is told. */
    private static HttpResponse<String> whoWaited(CommandProcess server, HttpClient http, String url) {
        CompletableFuture<HttpResponse<String>> one = get(http, url);
        CompletableFuture<HttpResponse<String>> other = get(http, url);
        CompletableFuture.anyOf(one, other).join();
        CompletableFuture<HttpResponse<String>> refused = one.isDone() ? one : other;
        CompletableFuture<HttpResponse<String>> waiting = one.isDone() ? other : one;
        assertThat(refused.join().statusCode()).as("as many wait as may").isEqualTo(429);
        assertThat(waiting).isNotDone();

        server.terminate();

        return waiting.join();
    }

    @Test
    void whatWaitsInAKilledDevServerGoesOnInTheNext() throws IOException, InterruptedException {
        RunId approval;
        RunId order;
        try (CommandProcess dev = develop();
                PerdureClient client = PerdureClient.connect(dev.urlInLine(3))) {
            Run<Json> ordered =
                    client.start("order", Json.of("{\"item\": \"lamp\", \"cents\": 100}"), StartOptions.defaults());
            assertThat(ordered.as(String.class).result(PATIENCE)).isEqualTo("shipped for 120 cents");
            order = ordered.id();
            Run<Json> asked = client.start("approval", Json.of("{\"what\": \"a chair\"}"), StartOptions.defaults());
            awaitWait(asked);
            approval = asked.id();
        }
        try (CommandProcess again = develop();
                PerdureClient client = PerdureClient.connect(again.urlInLine(3))) {
            client.signal(approval, "decision", Json.of("{\"approved\": true, \"by\": \"Mia\"}"));

            assertThat(client.run(approval).as(String.class).result(PATIENCE)).isEqualTo("a chair was approved by Mia");
            assertThat(client.run(approval).history().stream()
                            .filter(recorded -> recorded.event() instanceof Event.StepCompleted))
                    .as("it has asked once")
                    .hasSize(1);
            assertThat(client.run(order).status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    private static void awaitWait(Run<Json> run) {
        try (Following following = run.follow()) {
            while (following.next(PATIENCE).stream()
                    .noneMatch(recorded -> recorded.event() instanceof Event.WaitStarted)) {
                assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
            }
        }
    }

    @Test
    void whatGoesWrongInAServerIsInItsLog() throws IOException, InterruptedException, SQLException {
        Path file = folder.resolve("app.db");
        try (CommandProcess server = CommandProcess.start(
                folder,
                "server",
                "--store",
                "jdbc:sqlite:" + file,
                "--port",
                "0",
                "--sweeper-interval-ms",
                "50",
                "--log-level",
                "warn")) {
            server.urlInLine(1);
            assertThat(server.err())
                    .as("what starts well is not worth a line of a warning")
                    .isEmpty();

            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER TABLE run RENAME TO gone");
            }

            assertThat(server.awaitErr("Sweeping failed"))
                    .matches("[0-9T:.-]+Z WARN io\\.perdure\\.core\\.store: Sweeping failed .* PD-2\\d\\d .*");
        }
    }

    private void assertRefused(String why, String... words) throws IOException, InterruptedException {
        try (CommandProcess server = CommandProcess.start(folder, words)) {
            assertThat(server.ended()).isEqualTo(WRONG_USAGE);
            assertThat(server.err()).startsWith("PD-610 ").contains(why).hasLineCount(1);
            assertThat(server.out()).isEmpty();
        }
    }

    @Test
    void badSettingsEndTheStartInOneLine() throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("perdure.properties"), List.of("prot = 1"));

        assertRefused("--port is \"high\"", "server", "--port", "high");
        assertRefused("there is no key yet", "server", "--host", "0.0.0.0", "--port", "0");
        assertRefused("Did you mean port?", "server", "--config", file.toString());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertRefused("cannot listen at 127.0.0.1, port " + port, "server", "--port", port);
        }
    }
}
