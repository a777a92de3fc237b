package io.perdure.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.Ids;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.wire.Terms;
import io.perdure.sdk.worker.Held;
import io.perdure.server.http.Caller;
import io.perdure.server.worker.RawWorker.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a worker sends, it is answered with a problem of its own making, and the next one is served. */
class HostileWorkerTest {
    private static final String SERVED = "[{\"workflow\": \"sample\", \"versions\": [1]}]";

    @TempDir
    Path folder;

    private Role role = Role.WORKER;
    private TestServer server;
    private RawWorker worker;

    @SuppressWarnings("NullAway.Init") // Given by JUnit, and opened before each test.
    HostileWorkerTest() {}

    @BeforeEach
    void open() {
        server = new TestServer(
                "jdbc:sqlite:" + folder.resolve("app.db"),
                0,
                _ -> new Caller(TenantId.DEFAULT, role, "test"),
                Set.of(Terms.PROTOCOL));
        worker = new RawWorker(server.port());
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        role = Role.WORKER;
        assertThat(worker.post("/claim", "{\"served\": " + SERVED + ", \"max\": 1}")
                        .status())
                .as("the next one is served")
                .isEqualTo(200);
        worker.close();
        server.close();
    }

    private static void assertProblem(Answer answer, int status, String code) {
        assertThat(answer.response().body()).contains(code);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.response().headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.json().integer("status")).isEqualTo(status);
        assertThat(answer.response().body()).doesNotContain("Exception").doesNotContain("at io.perdure");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/claim|400|PD-004|",
                "/claim|400|PD-004|nonsense",
                "/claim|400|PD-004|[]",
                "/claim|400|PD-004|{}",
                "/claim|400|PD-004|{\"served\": [], \"served\": [], \"max\": 1}",
                "/claim|422|PD-001|{\"served\": [{\"workflow\": \"UPPER\", \"versions\": [1]}], \"max\": 1}",
                "/claim|422|PD-609|{\"served\": [{\"workflow\": \"a\", \"versions\": [1.5]}], \"max\": 1}",
                "/claim|422|PD-008|{\"served\": [{\"workflow\": \"a\", \"versions\": [0]}], \"max\": 1}",
                "/claim|422|PD-007|{\"served\": [{\"workflow\": \"a\", \"versions\": [1]}], \"max\": 1000000}",
                "/claim|422|PD-609|{\"served\": [], \"max\": 99999999999}",
                "/claim|422|PD-609|{\"served\": [], \"max\": 1, \"wait\": \"-PT1S\"}",
                "/claim|422|PD-609|{\"served\": [], \"max\": 1, \"wait\": \"long\"}",
                "/extend|400|PD-006|{\"leases\": [{\"run\": \"x\", \"token\": \"y\"}]}",
                "/mailbox|400|PD-004|{\"run\": 7}",
                "/commits|400|PD-004|{\"commits\": {}}",
                "/watch|400|PD-004|{\"wait\": \"PT1S\"}",
                "/announce|400|PD-006|{\"worker\": \"me\", \"name\": \"n\", \"served\": [], \"concurrency\": 1}",
            })
    void wrongBodiesAreRefused(String route, int status, String code, String body)
            throws IOException, InterruptedException {
        assertProblem(worker.post(route, body == null ? "" : body), status, code);
    }

    @Test
    void whatNestsTooDeepIsRefused() throws IOException, InterruptedException {
        assertProblem(worker.post("/claim", "[".repeat(100_000)), 422, "PD-005");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "application/json;charset=latin1", "nonsense", ";;;"})
    void onlyJsonIsTaken(String type) throws IOException, InterruptedException {
        assertProblem(
                worker.post(
                        "/claim", BodyPublishers.ofString("{}"), request -> request.setHeader("Content-Type", type)),
                415,
                "PD-606");
    }

    @Test
    void compressedBodiesAreRefused() throws IOException, InterruptedException {
        assertProblem(
                worker.post(
                        "/claim", BodyPublishers.ofString("{}"), request -> request.header("Content-Encoding", "gzip")),
                415,
                "PD-606");
    }

    @Test
    void whatIsNotUtf8IsRefused() throws IOException, InterruptedException {
        byte[] latin = "{\"name\": \"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);

        assertProblem(worker.post("/claim", BodyPublishers.ofByteArray(latin), request -> request), 400, "PD-004");
    }

    @Test
    void tooMuchIsRefusedWhetherAnnouncedOrNot() throws IOException, InterruptedException {
        byte[] large = " ".repeat(1024 * 1024 + 1).getBytes(StandardCharsets.UTF_8);

        assertProblem(worker.post("/claim", BodyPublishers.ofByteArray(large), request -> request), 413, "PD-607");
        assertProblem(
                worker.post(
                        "/claim",
                        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)),
                        request -> request),
                413,
                "PD-607");
    }

    @Test
    void asManyLeasesAsMayBeNamedFitAndMuchMoreIsNotRead() throws IOException, InterruptedException {
        Ids ids = new SystemEnvironment().ids();
        List<Held> leases = Stream.generate(() -> new Held(ids.runId(), ids.token()))
                .limit(Limits.defaults().calls().pageRows())
                .toList();
        assertThat(worker.post("/extend", ClaimJson.write("leases", leases).text())
                        .status())
                .isEqualTo(200);

        assertProblem(worker.post("/extend", " ".repeat(2 * 1024 * 1024 + 1)), 413, "PD-607");
    }

    @Test
    void moreThanAThousandCommitsAreRefused() throws IOException, InterruptedException {
        String commits = String.join(",", Collections.nCopies(1_001, "{}"));

        assertProblem(worker.post("/commits", "{\"commits\": [" + commits + "]}"), 413, "PD-607");
    }

    @Test
    void whatIsNotThereIsNotFoundAndWhatIsNotAllowedIsNamed() throws IOException, InterruptedException {
        assertProblem(worker.post("/nonsense", "{}"), 404, "PD-608");
        Answer get = worker.send(worker.request("/claim").GET());
        assertProblem(get, 405, "PD-608");
        assertThat(get.response().headers().firstValue("Allow")).contains("POST");
    }

    @Test
    void aKeyOfAClientDoesNotWork() throws IOException, InterruptedException {
        role = Role.CLIENT;
        assertProblem(worker.post("/claim", "{}"), 403, "PD-602");
        assertProblem(worker.send(worker.request("").GET()), 403, "PD-602");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "0", "one", ""})
    void anUnknownProtocolIsRefusedAndBothAreNamed(String protocol) throws IOException, InterruptedException {
        Answer answer = worker.post(
                "/claim", BodyPublishers.ofString("{}"), request -> request.setHeader(Terms.PROTOCOL_HEADER, protocol));

        assertProblem(answer, 400, "PD-604");
        assertThat(answer.json().string("detail"))
                .contains("protocol " + protocol)
                .contains("[1]");
    }

    @Test
    void oneBadCommitIsNoMatterOfItsNeighbours() throws IOException, InterruptedException {
        server.perdure().start("sample", Json.NULL, StartOptions.defaults());
        JsonObject run =
                JsonObject.parse(JsonArray.parse(worker.post("/claim", "{\"served\": " + SERVED + ", \"max\": 1}")
                                .json()
                                .value("runs"))
                        .getFirst());
        String held = "\"run\": \"%s\", \"token\": \"%s\"".formatted(run.string("run"), run.string("token"));
        String step =
                "{\"event\": {\"type\": \"StepCompleted\", \"v\": 1, \"step\": \"%s\", \"attempt\": 1, \"output\": %s,"
                        + " \"startedAt\": \"2026-11-16T12:00:00Z\"}}";
        String commit = "{" + held + ", \"seq\": %s, \"events\": [%s]}";
        List<String> commits = List.of(
                "{}",
                commit.formatted("1", step.formatted("x".repeat(257), "1")),
                commit.formatted("1", step.formatted("deep", "[".repeat(129) + "]".repeat(129))),
                commit.formatted("1", "{\"event\": {\"type\": \"Invented\", \"v\": 1}}"),
                commit.formatted("1", "{\"event\": {\"type\": \"StepCompleted\", \"v\": 1}}"),
                commit.formatted(
                        "1", "{\"event\": {\"type\": \"RunCreated\", \"v\": 1, \"workflow\": \"a\", \"input\": 1}}"),
                commit.formatted("-1", step.formatted("one", "1")),
                commit.formatted("1", step.formatted("one", "1.50")),
                commit.formatted("7", step.formatted("two", "2")));
        Answer answer = worker.post("/commits", "{\"commits\": [" + String.join(",", commits) + "]}");
        List<JsonObject> answers = JsonArray.parse(answer.json().value("answers")).stream()
                .map(JsonObject::parse)
                .toList();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answers.stream().map(HostileWorkerTest::summary))
                .containsExactly(
                        "PD-004", "PD-609", "PD-005", "PD-604", "PD-609", "PD-008", "PD-008", "[kept]", "[lost]");
        assertThat(server.perdure().run(RunId.parse(run.string("run"))).history().stream()
                        .map(recorded -> recorded.event().title()))
                .as("nothing of the others")
                .hasSize(2)
                .last()
                .asString()
                .contains("one");
    }

    private static String summary(JsonObject answer) {
        return answer.get("problem")
                .map(problem -> JsonObject.parse(problem).string("code"))
                .orElseGet(() -> answer.names().toString());
    }
}
