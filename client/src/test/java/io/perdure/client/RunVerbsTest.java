package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.AlreadyActiveException;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent for each verb about runs, and how its answer is read. */
class RunVerbsTest {
    static final RunId RUN = RunId.parse("01997a3e-0000-7000-8000-000000000001");
    private static final RunId OTHER = RunId.parse("01997a3e-0000-7000-8000-000000000002");
    private static final Workflow<String, Integer> LENGTH = Workflow.named("length")
            .version(3)
            .retention(Duration.ofDays(7))
            .run(String.class, Integer.class, (_, text) -> text.length());

    private final ScriptedServer server = new ScriptedServer();
    private final PerdureClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    static String run(RunId id, String status, String more) {
        return """
                {"runId":"%s","workflow":"length","version":3,"kind":"code","status":"%s","input":"abc","tags":{"a":"b"},\
                "retentionDays":7,"signals":2,"startedAt":"2026-01-01T00:00:00Z"%s}""".formatted(id, status, more);
    }

    @Test
    void aStartSaysAllAboutTheRunAndMakesItsId() {
        server.then(ScriptedServer.answer(201, "{\"runId\":\"" + RUN + "\",\"created\":true,\"status\":\"running\"}"));

        Run<Integer> run = client.start(
                LENGTH,
                "abc",
                StartOptions.defaults()
                        .idempotencyKey("k")
                        .workflowId("w")
                        .delay(Duration.ofMillis(1500))
                        .tag("region", "eu"));

        ScriptedServer.Asked asked = server.only();
        assertThat(asked.line()).isEqualTo("POST /v1/workflows/length/runs");
        assertThat(asked.key()).isEqualTo("Bearer pd_test");
        assertThat(asked.request()).as("the run's own id makes it repeatable").isNull();
        JsonObject body = JsonObject.parse(Json.of(asked.body()));
        assertThat(RunId.parse(body.string("runId")).value().version()).isEqualTo(7);
        assertThat(asked.body())
                .contains("\"input\":\"abc\"", "\"version\":3", "\"idempotencyKey\":\"k\"", "\"workflowId\":\"w\"")
                .contains("\"retentionDays\":7", "\"delay\":1.5", "\"tags\":{\"region\":\"eu\"}");
        assertThat(run.id()).isEqualTo(RUN);
        assertThat(run.created()).isTrue();
    }

    @Test
    void aStartThatMeetsAnEarlierRunAnswersThatOne() {
        server.then("{\"runId\":\"" + OTHER + "\",\"created\":false,\"status\":\"completed\"}");

        Run<Json> run = client.start(
                StepFlow.named("flow").step("start", _ -> Next.done(1)),
                7,
                StartOptions.defaults().write("total", 3));

        assertThat(run.id()).isEqualTo(OTHER);
        assertThat(run.created()).isFalse();
        assertThat(server.only().body()).contains("\"writes\":{\"total\":3}");
    }

    @Test
    void aStartByNameLeavesTheVersionToTheServer() {
        server.then(ScriptedServer.answer(201, "{\"runId\":\"" + RUN + "\",\"created\":true,\"status\":\"running\"}"));

        client.start("length", Json.of("{\"n\":1.50}"), StartOptions.defaults());

        assertThat(server.only().body()).contains("\"input\":{\"n\":1.50}").doesNotContain("version");
    }

    @Test
    void whatIsWrongWithAStartIsSaidBeforeAnythingIsSent() {
        assertThatExceptionOfType(WorkflowCodeException.class)
                .isThrownBy(() ->
                        client.start(LENGTH, "abc", StartOptions.defaults().version(2)))
                .returns(ErrorCode.VERSION_MISMATCH, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() ->
                        client.start(LENGTH, "abc", StartOptions.defaults().write("a", 1)))
                .returns(ErrorCode.OUT_OF_BOUNDS, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.start("No Name", Json.NULL, StartOptions.defaults()))
                .returns(ErrorCode.INVALID_NAME, PerdureException::code);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void aRunIsLookedUp() {
        server.then(run(RUN, "parked", ",\"error\":{\"type\":\"PD-104\",\"message\":\"PD-104 other code\"}"))
                .then(run(RUN, "completed", ",\"output\":null,\"completedAt\":\"2026-01-02T00:00:00Z\""));

        Run<Json> run = client.run(RUN);
        assertThat(server.only().line()).isEqualTo("GET /v1/runs/" + RUN);
        RunInfo info = run.info();

        assertThat(info.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(info.output()).isEqualTo(Json.NULL);
        assertThat(info.wakes()).isEqualTo(2);
    }

    @Test
    void aRunThatIsNotThereIsTheErrorThatTheEngineHas() {
        server.then(ScriptedServer.problem(
                404, new RefusedException(ErrorCode.NO_SUCH_RUN, "There is no run " + RUN + ".")));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> client.run(LENGTH, RUN))
                .returns(ErrorCode.NO_SUCH_RUN, PerdureException::code)
                .withMessageContaining(RUN.toString());
    }

    @Test
    void aSignalCarriesItsPayloadAndItsId() {
        server.then("{\"created\":true}").then("{\"created\":false}").then("{\"created\":true}");

        assertThat(client.signal(RUN, "order.paid", 12.50)).isTrue();
        ScriptedServer.Asked first = server.only();
        assertThat(first.line()).startsWith("POST /v1/runs/" + RUN + "/signals/order.paid?deduplicationId=rq-");
        assertThat(first.body()).isEqualTo("12.5");

        assertThat(client.signal(RUN, "paid", "x", "a b&c/ü")).isFalse();
        assertThat(server.only().line())
                .isEqualTo("POST /v1/runs/" + RUN + "/signals/paid?deduplicationId=a%20b%26c%2F%C3%BC");

        client.signal(RUN, "paid", null);
        assertThat(server.only().body()).isEqualTo("null");
    }

    @Test
    void aFullMailboxIsSaidAtOnce() {
        server.then(ScriptedServer.problem(429, new RefusedException(ErrorCode.MAILBOX_FULL, "Full.")));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> client.signal(RUN, "paid", 1))
                .returns(ErrorCode.MAILBOX_FULL, PerdureException::code);
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void aCancelTellsWhetherItWasTheOne() {
        server.then("{\"runId\":\"" + RUN + "\",\"status\":\"cancelled\",\"cancelled\":true}")
                .then("{\"runId\":\"" + RUN + "\",\"status\":\"cancelled\",\"cancelled\":false}");

        assertThat(client.cancel(RUN, "not needed & more")).isTrue();
        assertThat(server.only().line()).isEqualTo("DELETE /v1/runs/" + RUN + "?reason=not%20needed%20%26%20more");
        assertThat(client.cancel(RUN, "again")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "ü", "😀", "a b & 😀 "})
    void aReasonThatIsTooLongForARequestLineIsCutAtAWholeCharacter(String part) {
        server.then("{\"runId\":\"" + RUN + "\",\"status\":\"cancelled\",\"cancelled\":true}");
        String reason = part.repeat(20_000);

        client.cancel(RUN, reason);

        String line = server.only().line();
        assertThat(line).hasSizeBetween(7 * 1024, 8 * 1024);
        String sent = URLDecoder.decode(line.substring(line.indexOf('=') + 1), StandardCharsets.UTF_8);
        assertThat(sent).endsWith("…");
        assertThat(reason).startsWith(sent.substring(0, sent.length() - 1));
    }

    @Test
    void runsArePutBackToWork() {
        String answer = "{\"runId\":\"" + RUN + "\",\"status\":\"running\"}";
        server.then(answer).then(answer).then(answer);

        client.resume(RUN, "mended");
        ScriptedServer.Asked resumed = server.only();
        assertThat(resumed.line()).isEqualTo("POST /v1/runs/" + RUN + "/resume");
        assertThat(resumed.body()).isEqualTo("{\"reason\":\"mended\"}");
        client.resume(RUN, "newer", 4);
        assertThat(server.only().body()).isEqualTo("{\"reason\":\"newer\",\"version\":4}");
        client.redrive(RUN, "up again");
        assertThat(server.only().line()).isEqualTo("POST /v1/runs/" + RUN + "/redrive");
    }

    @Test
    void anErrorComesBackWithTheRunThatItNames() {
        server.then(ScriptedServer.problem(409, new AlreadyActiveException(OTHER, "Held.")));

        assertThatExceptionOfType(AlreadyActiveException.class)
                .isThrownBy(() -> client.redrive(RUN, "up again"))
                .returns(OTHER, AlreadyActiveException::activeRun);
    }

    @Test
    void aListIsPutTogetherFromThePagesOfTheServer() {
        String place = "started_2026-01-01T00:00:00Z_" + RUN;
        String full = "[" + (run(RUN, "running", "") + ",").repeat(999) + run(RUN, "running", "") + "]";
        server.then("{\"runs\":" + full + ",\"next\":\"" + place + "\"}")
                .then("{\"runs\":[" + run(OTHER, "running", "") + "],\"next\":\"" + place + "\"}");

        RunList list = client.runs(RunFilter.all().workflow("length").status(RunStatus.RUNNING), 1_500);

        assertThat(list.runs()).hasSize(1_001);
        assertThat(list.next()).isEqualTo(place);
        assertThat(server.asked())
                .extracting(ScriptedServer.Asked::line)
                .containsExactly(
                        "GET /v1/workflows/length/runs?status=running&limit=1000",
                        "GET /v1/workflows/length/runs?status=running&limit=500&cursor=" + Paths.encoded(place));
    }

    @Test
    void whatIsNoPlaceOrNoLimitIsNotSent() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.runs(RunFilter.all(), 10, "ended_x"))
                .returns(ErrorCode.INVALID_ID, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.runs(RunFilter.all(), 10_001))
                .returns(ErrorCode.OUT_OF_BOUNDS, PerdureException::code);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void runsAreCounted() {
        server.then("{\"count\":12345678901}")
                .then(
                        "{\"workflows\":[{\"name\":\"length\",\"running\":2,\"parked\":0,\"completed\":5,\"failed\":0}]}");

        assertThat(client.count(RunFilter.all().waitingForWorker())).isEqualTo(12_345_678_901L);
        assertThat(server.only().line()).isEqualTo("GET /v1/runs/count?status=running&waiting=true");
        WorkflowName name = new WorkflowName("length");
        assertThat(client.runCounts())
                .containsExactly(new RunCount(name, RunStatus.RUNNING, 2), new RunCount(name, RunStatus.COMPLETED, 5));
    }

    @Test
    void anAnswerThatIsNoneOfOursIsSaidSo() {
        server.then("<html>Welcome</html>");

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> client.count(RunFilter.all()))
                .returns(ErrorCode.PROTOCOL_MISMATCH, PerdureException::code)
                .withMessageContaining("GET /v1/runs/count");
    }
}
