package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever goes wrong, and however much is logged: no line holds what runs and messages hold, a key or a password. */
@Timeout(120)
class LogSecrecyTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PAYLOAD = "payload-4711";
    private static final String STEP_SAID = "step-said-4712";
    private static final String HANDLER_SAID = "handler-said-4713";
    private static final String PASSWORD = "password-4714";
    private static final Json INPUT = Json.of("{\"card\": \"%s\"}".formatted(PAYLOAD));

    private static final Workflow<Json, String> FAILS = Workflow.named("fails")
            .run(Json.class, String.class, (ctx, _) -> {
                ctx.step(
                        "charge",
                        () -> {
                            throw new IllegalStateException(STEP_SAID);
                        },
                        Retry.never());
                return PAYLOAD;
            });

    /** Its input does not fit, which the error says in Jackson's words, with the value. */
    private static final Workflow<Integer, Integer> UNFIT =
            Workflow.named("unfit").run(Integer.class, Integer.class, (_, input) -> input);

    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private final StringWriter log = new StringWriter();

    @TempDir
    Path folder;

    @BeforeEach
    void logEverything() {
        LibraryLog.show(new LogOptions(LogOptions.Format.JSON, LogOptions.Threshold.DEBUG, true), new PrintWriter(log));
    }

    @AfterEach
    void drop() {
        LibraryLog.drop();
    }

    @Test
    void noLineHoldsAPayloadAKeyOrAPassword() throws Exception {
        assertThatThrownBy(() -> PerdureServer.start(ServerOptions.of(
                        "jdbc:postgresql://127.0.0.1:1/app?user=me&connectTimeout=1&password=" + PASSWORD)))
                .isInstanceOf(PerdureException.class);
        List<String> tokens;
        try (PerdureServer server = PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + folder.resolve("app.db")).port(0))) {
            String url = server.url().toString();
            String admin = token(server, Role.ADMIN);
            String client = token(server, Role.CLIENT);
            String revoked = token(server, Role.CLIENT);
            server.engine()
                    .keys()
                    .revoke(server.engine().keys().list().getLast().id().value());
            tokens = List.of(admin, client, revoked, "pd_forged_token");
            work(url, admin);
            try (HttpClient http = HttpClient.newHttpClient()) {
                tokens.forEach(token -> misuse(http, url, token));
            }
        }
        tokens.forEach(token -> assertThat(log.toString()).doesNotContain(token.substring(token.length() - 8)));
        assertThat(log.toString()).doesNotContain(PAYLOAD, STEP_SAID, PASSWORD);
        List<JsonNode> lines =
                log.toString().lines().map(JsonMapper.shared()::readTree).toList();
        assertThat(lines)
                .as("what handlers throw is shown to who asks for everything, and to nobody else")
                .filteredOn(line -> line.toString().contains(HANDLER_SAID))
                .isNotEmpty()
                .allMatch(line -> line.get("level").asString().equals("DEBUG"));
        assertThat(lines)
                .extracting(line -> line.get("message").asString())
                .anyMatch(said -> said.contains(" is parked. "))
                .anyMatch(said ->
                        said.endsWith(" of fails@1 failed: java.lang.IllegalStateException; its history says more."));
        assertThat(lines)
                .extracting(line -> line.get("message").asString())
                .anyMatch(said -> said.contains(" serves jdbc:sqlite:"));
        assertThat(lines).extracting(line -> line.get("message").asString()).contains("Stopped.");
    }

    private static String token(PerdureServer server, Role role) {
        return server.engine()
                .keys()
                .create(TenantId.DEFAULT, "test", role, null)
                .token();
    }

    private static void work(String url, String token) throws InterruptedException {
        try (PerdureClient client =
                PerdureClient.connect(url, ConnectOptions.defaults().key(token))) {
            client.register(FAILS).register(UNFIT).start();
            Run<Json> failing = client.start("fails", INPUT, StartOptions.defaults());
            Run<Json> unfit = client.start("unfit", Json.of("\"" + PAYLOAD + "\""), StartOptions.defaults());
            Run<Json> waiting = client.start("nobodys", INPUT, StartOptions.defaults());
            client.signal(waiting.id(), "go", INPUT);
            assertThatThrownBy(() -> failing.result(PATIENCE)).hasMessageContaining(STEP_SAID);
            until(() -> unfit.status() != RunStatus.RUNNING);
            client.createQueue("mail", QueueSettings.defaults().retries(0)).send(INPUT);
            try (QueueConsumer consumer = client.consume("mail", delivery -> {
                throw new IllegalStateException(HANDLER_SAID);
            })) {
                until(() -> consumer.figures().deadLettered() == 1);
            }
        }
    }

    /** What comes in the wrong way: with a bad key, bad JSON, the wrong fields, and too much of it. */
    private static void misuse(HttpClient http, String url, String token) {
        for (String body : List.of(
                INPUT.text(),
                "{\"" + PAYLOAD,
                "{\"input\": " + PAYLOAD + "}",
                "{\"" + PAYLOAD + "\": 1}",
                "[".repeat(10_000) + PAYLOAD)) {
            for (String path : List.of(
                    "/v1/workflows/fails/runs",
                    "/v1/queues/mail/messages",
                    "/v1/worker/commits",
                    "/v1/runs/x/signals/" + PAYLOAD,
                    "/v1/" + PAYLOAD)) {
                assertThat(post(http, url + path, token, body).statusCode()).isBetween(400, 499);
            }
        }
    }

    private static HttpResponse<String> post(HttpClient http, String url, String token, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.sendAsync(request, BodyHandlers.ofString()).join();
    }

    private static void until(BooleanSupplier holds) throws InterruptedException {
        while (!holds.getAsBoolean()) {
            ENVIRONMENT.sleep(Duration.ofMillis(5));
        }
    }
}
