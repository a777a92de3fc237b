package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.Fit;
import io.perdure.sdk.run.RecoveryReason;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.wire.HistoryJson;
import io.perdure.sdk.workflow.UniqueConflictException;
import io.perdure.sdk.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is done to many runs, between versions, and for their upkeep. */
class RemoteOperationsTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final RunFilter PARKED =
            RunFilter.all().workflow("length").status(RunStatus.PARKED).tag("a", "b");

    private final ScriptedServer server = new ScriptedServer();
    private final PerdureClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aDryRunCounts() {
        server.then("{\"matched\":12,\"done\":0,\"missed\":0}");

        assertThat(client.operations().count(BulkAction.RESUME, PARKED)).isEqualTo(12);
        ScriptedServer.Asked asked = server.only();
        assertThat(asked.line()).isEqualTo("POST /v1/workflows/length/runs/bulk?status=parked&tag.a=b");
        assertThat(asked.body()).isEqualTo("{\"action\":\"resume\",\"dryRun\":true}");
    }

    @Test
    void whatIsDoneToManyTellsHowFarItHasCome() {
        server.then(ScriptedServer.lines(
                "{\"matched\":700,\"done\":0,\"missed\":0}",
                "{\"matched\":700,\"done\":500,\"missed\":0}",
                "",
                "{\"matched\":700,\"done\":699,\"missed\":1}"));
        List<BulkProgress> told = new ArrayList<>();

        BulkProgress end = client.operations().inBulk(BulkAction.CANCEL, RunFilter.all(), "closing", told::add);

        assertThat(end).isEqualTo(new BulkProgress(700, 699, 1));
        assertThat(told).containsExactly(new BulkProgress(700, 0, 0), new BulkProgress(700, 500, 0));
        ScriptedServer.Asked asked = server.only();
        assertThat(asked.line()).isEqualTo("POST /v1/runs/bulk");
        assertThat(asked.body()).isEqualTo("{\"action\":\"cancel\",\"reason\":\"closing\"}");
        assertThat(asked.accept()).isEqualTo("application/x-ndjson");
    }

    @Test
    void whatBreaksOffIsAskedForAgainAndEndsAsTheFirstTime() {
        server.then(ScriptedServer.brokenOff("{\"matched\":700,\"done\":500,\"missed\":0}"))
                .then(ScriptedServer.problem(503, new StoreException(ErrorCode.OUTCOME_UNKNOWN, "Under way.")))
                .then(ScriptedServer.lines("{\"matched\":700,\"done\":699,\"missed\":1}"));

        assertThat(client.operations().inBulk(BulkAction.CANCEL, RunFilter.all(), "closing"))
                .isEqualTo(new BulkProgress(700, 699, 1));
        assertThat(server.asked().stream().map(ScriptedServer.Asked::request).distinct())
                .hasSize(1);
        assertThat(server.asked()).hasSize(3);
    }

    @Test
    void aProblemAfterSomeLinesIsThrown() {
        server.then(ScriptedServer.lines(
                "{\"matched\":700,\"done\":0,\"missed\":0}",
                "{\"error\":{\"code\":\"PD-204\",\"detail\":\"The disk is full.\",\"status\":503}}"));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> client.operations().inBulk(BulkAction.CANCEL, RunFilter.all(), "closing"))
                .returns(ErrorCode.STORE_FULL, PerdureException::code);
    }

    @Test
    void aProblemInsteadOfLinesIsThrownOrWaitedFor() {
        server.then(ScriptedServer.problem(503, new StoreException(ErrorCode.STORE_BUSY, "Busy.")))
                .then(ScriptedServer.problem(403, new RefusedException(ErrorCode.KEY_NOT_ALLOWED, "No.")));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> client.operations().inBulk(BulkAction.CANCEL, RunFilter.all(), "closing"))
                .returns(ErrorCode.KEY_NOT_ALLOWED, PerdureException::code);
        assertThat(server.asked()).hasSize(2);
    }

    @Test
    void whatCannotBeDoneInThatStatusIsNotSent() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.operations().inBulk(BulkAction.REDRIVE, PARKED, "why"))
                .returns(ErrorCode.OUT_OF_BOUNDS, PerdureException::code);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void upkeepIsTheServers() {
        server.then("""
                        {"counts":{"timeout":1,"stuck_created":2},"recovered":[{"runId":"%s","workflow":"length",\
                        "reason":"timeout"}]}""".formatted(RunVerbsTest.RUN))
                .then("{\"stuck_failed\":3}")
                .then("""
                        {"workers":[{"process":"%s","name":"7@host","served":[{"workflow":"length","versions":[1,3]}],\
                        "concurrency":50,"since":"2026-01-01T00:00:00Z","until":"2026-01-01T00:01:00Z"}]}""".formatted(RunVerbsTest.RUN));

        assertThat(client.operations().recover().total()).isEqualTo(3);
        assertThat(client.operations().recovered()).containsEntry(RecoveryReason.STUCK_FAILED, 3L);
        assertThat(client.operations().workers().getFirst().concurrency()).isEqualTo(50);
        assertThat(server.asked())
                .extracting(ScriptedServer.Asked::line)
                .containsExactly("POST /v1/recover", "GET /v1/recovered", "GET /v1/workers");
    }

    private static Workflow<String, String> greeting(int version, String wait) {
        return Workflow.named("greeting").version(version).run(String.class, String.class, (ctx, name) -> {
            ctx.step("look", String.class, () -> "never run here");
            return name + ctx.waitForEvent(wait, String.class);
        });
    }

    private void scriptGreeting() {
        scriptGreetingWithoutMailbox();
        server.then("{\"wakes\":1,\"letters\":[" + letter(1, "answer") + "]}");
    }

    private static String letter(int number, String event) {
        return "{\"number\":" + number + ",\"event\":\"" + event
                + "\",\"payload\":\"yes\",\"at\":\"2026-01-01T00:00:01Z\"}";
    }

    private void scriptGreetingWithoutMailbox() {
        server.then("""
                {"runId":"%s","workflow":"greeting","version":1,"status":"parked","input":"x","retentionDays":7,\
                "signals":1,"startedAt":"2026-01-01T00:00:00Z"}""".formatted(RunVerbsTest.RUN));
        List<Recorded> history = List.of(
                new Recorded(
                        0,
                        AT,
                        null,
                        new Event.RunCreated(
                                new WorkflowName("greeting"),
                                1,
                                null,
                                Json.string("x"),
                                Map.of(),
                                null,
                                null,
                                null,
                                Map.of())),
                new Recorded(1, AT, null, new Event.StepCompleted(new StepName("look"), Json.string("seen"), AT)),
                new Recorded(2, AT, null, new Event.WaitStarted(new StepName("answer"), new EventName("answer"), null)),
                new Recorded(3, AT, null, new Event.RunParked("PD-104", "other code")));
        List<String> events =
                history.stream().map(event -> HistoryJson.write(event).text()).toList();
        server.then("{\"events\":[" + String.join(",", events) + "],\"status\":\"parked\",\"next\":4}")
                .then("{\"events\":[],\"status\":\"parked\",\"next\":4}");
    }

    @Test
    void aVersionIsTriedHereAndTheMoveNamesWhatWasSeen() {
        client.register(greeting(2, "answer")).register(greeting(3, "other"));
        scriptGreeting();
        server.then("{\"runId\":\"" + RunVerbsTest.RUN + "\",\"status\":\"running\"}");

        Fit fit = client.operations().move(RunVerbsTest.RUN, 2, "newer");

        assertThat(fit.fits()).isTrue();
        assertThat(fit.last()).isEqualTo(3);
        ScriptedServer.Asked moved = server.asked().getLast();
        assertThat(moved.line()).isEqualTo("POST /v1/runs/" + RunVerbsTest.RUN + "/move");
        assertThat(moved.body()).isEqualTo("{\"version\":2,\"last\":3,\"reason\":\"newer\"}");
        assertThat(server.asked().get(3).line()).isEqualTo("GET /v1/runs/" + RunVerbsTest.RUN + "/mailbox");
    }

    @Test
    void aMailboxIsReadToItsEnd() {
        client.register(greeting(2, "answer"));
        scriptGreetingWithoutMailbox();
        server.then("{\"wakes\":2,\"letters\":[" + letter(1, "other") + "],\"next\":7}")
                .then("{\"wakes\":2,\"letters\":[" + letter(7, "answer") + "]}");

        assertThat(client.operations().check(RunVerbsTest.RUN, 2).fits()).isTrue();

        assertThat(server.asked().getLast().target()).isEqualTo("/v1/runs/" + RunVerbsTest.RUN + "/mailbox?from=7");
    }

    @Test
    void aVersionThatDoesNotFitMovesNothing() {
        client.register(greeting(3, "other"));
        scriptGreeting();

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> client.operations().move(RunVerbsTest.RUN, 3, "newer"))
                .returns(ErrorCode.DOES_NOT_FIT, PerdureException::code);
        assertThat(server.asked()).hasSize(4);

        scriptGreeting();
        assertThatExceptionOfType(WorkflowCodeException.class)
                .isThrownBy(() -> client.operations().check(RunVerbsTest.RUN, 9))
                .returns(ErrorCode.VERSION_MISMATCH, PerdureException::code);
    }

    @Test
    void aRunThatWentOnMeanwhileIsAConflict() {
        client.register(greeting(2, "answer"));
        scriptGreeting();
        server.then(ScriptedServer.problem(409, new UniqueConflictException(RunVerbsTest.RUN, "Went on.")));

        assertThatExceptionOfType(UniqueConflictException.class)
                .isThrownBy(() -> client.operations().move(RunVerbsTest.RUN, 2, "newer"))
                .returns(RunVerbsTest.RUN, UniqueConflictException::run);
    }
}
