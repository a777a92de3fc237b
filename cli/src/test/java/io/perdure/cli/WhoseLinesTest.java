package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.PerdureClient;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lines of a worker, a consumer and a server say whose they are, over HTTP as well. */
@Timeout(120)
class WhoseLinesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final System.Logger LOG = System.getLogger("io.perdure.test");
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private static final Workflow<Json, String> GREET = Workflow.named("greet")
            .run(Json.class, String.class, (ctx, _) -> {
                ctx.step("hello", () -> LOG.log(Level.INFO, "In a step."));
                return "done";
            });

    private final StringWriter log = new StringWriter();

    @TempDir
    Path folder;

    @BeforeEach
    void show() {
        LibraryLog.show(LogOptions.DEFAULTS.format(LogOptions.Format.JSON), new PrintWriter(log));
    }

    @AfterEach
    void drop() {
        LibraryLog.drop();
    }

    private PerdureServer serve() {
        return PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + folder.resolve("app.db")).port(0));
    }

    private JsonNode line(String message) {
        return log.toString()
                .lines()
                .map(JsonMapper.shared()::readTree)
                .filter(line -> line.get("message").asString().equals(message))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no such line in " + log));
    }

    @Test
    void theLineOfAStepElsewhereNamesItsRun() {
        try (PerdureServer server = serve();
                PerdureClient client = PerdureClient.connect(server.url().toString())) {
            client.register(GREET).start();
            RunId run = client.start(GREET, Json.NULL).id();
            client.run(run).result(PATIENCE);

            JsonNode line = line("In a step.");
            assertThat(line.get("run").asString()).isEqualTo(run.toString());
            assertThat(line.get("workflow").asString()).isEqualTo("greet");
            assertThat(line.get("step").asString()).isEqualTo("hello");
            assertThat(line.get("attempt").asString()).isEqualTo("1");
        }
    }

    @Test
    void theLineOfAHandlerElsewhereNamesItsMessage() throws InterruptedException {
        try (PerdureServer server = serve();
                PerdureClient client = PerdureClient.connect(server.url().toString())) {
            SentMessage sent = client.createQueue("mail").send(Json.NULL);
            try (QueueConsumer consumer = client.consume("mail", _ -> LOG.log(Level.INFO, "In a handler."))) {
                while (consumer.figures().handled() == 0) {
                    ENVIRONMENT.sleep(Duration.ofMillis(5));
                }
            }

            JsonNode line = line("In a handler.");
            assertThat(line.get("messageId").asString()).isEqualTo(sent.id().toString());
            assertThat(line.get("queue").asString()).isEqualTo("mail");
            assertThat(line.get("attempt").asString()).isEqualTo("1");
        }
    }

    @Test
    void theLineOfARequestThatFailedNamesItsTenantAndRunAndTheNextOneNothingOfIt() throws Exception {
        String request = UUID.randomUUID().toString();
        try (PerdureServer server = serve();
                HttpClient http = HttpClient.newHttpClient()) {
            RunId run = ENVIRONMENT.ids().runId();
            breakRuns();

            assertThat(get(http, server.url() + "/v1/runs/" + run, request)).isEqualTo(503);
            assertThat(get(http, server.url() + "/v1/workers", null)).isEqualTo(200);
        }
        JsonNode line = line("A request could not be answered.");
        assertThat(line.get("level").asString()).isEqualTo("WARN");
        assertThat(line.get("tenant").asString()).isEqualTo("default");
        assertThat(line.get("run").asString()).hasSize(36);
        assertThat(line.get("requestId").asString()).isEqualTo(request);
        assertThat(line.get("error").get("message").asString()).startsWith("PD-2");
        assertThat(line("Stopped.").has("tenant")).isFalse();
    }

    private void breakRuns() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("app.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE run RENAME TO gone");
        }
    }

    private static int get(HttpClient http, String url, @Nullable String request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(url));
        if (request != null) {
            builder.header("Perdure-Request", request);
        }
        return http.sendAsync(builder.build(), BodyHandlers.discarding()).join().statusCode();
    }
}
