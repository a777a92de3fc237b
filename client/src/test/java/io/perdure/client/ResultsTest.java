package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.wire.HistoryJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How results are waited for, and histories read and followed. */
class ResultsTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration SOON = Duration.ofSeconds(25);

    private final ScriptedServer server = new ScriptedServer();
    private final PerdureClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private Run<Json> run() {
        server.then(RunVerbsTest.run(RunVerbsTest.RUN, "running", ""));
        Run<Json> run = client.run(RunVerbsTest.RUN);
        server.only();
        return run;
    }

    private static String answer(String status, String more) {
        return "{\"runId\":\"" + RunVerbsTest.RUN + "\",\"status\":\"" + status + "\"" + more + "}";
    }

    @Test
    void aResultIsAskedForUntilItIsThere() {
        Run<Integer> run = run().as(Integer.class);
        server.then(ScriptedServer.answer(202, answer("running", "")))
                .then(ScriptedServer.answer(202, answer("running", "")))
                .then(answer("completed", ",\"output\":42"));

        assertThat(run.result(Duration.ofSeconds(60))).isEqualTo(42);
        assertThat(server.asked())
                .hasSize(3)
                .allSatisfy(asked ->
                        assertThat(asked.target()).startsWith("/v1/runs/" + RunVerbsTest.RUN + "/result?wait="))
                .first()
                .returns("/v1/runs/" + RunVerbsTest.RUN + "/result?wait=30", ScriptedServer.Asked::target);
    }

    @Test
    void aRunThatFailedOrWasCancelledSaysWhy() {
        Run<Json> run = run();
        server.then(answer("failed", ",\"error\":{\"type\":\"java.io.IOException\",\"message\":\"no route\"}"))
                .then(answer("cancelled", ",\"error\":{\"type\":\"cancelled by user\",\"message\":\"not needed.\"}"));

        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> run.result(SOON))
                .returns(ErrorCode.RUN_FAILED, PerdureException::code)
                .withMessageContaining("Run " + run.id() + " failed: java.io.IOException: no route.");
        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> run.result(SOON))
                .returns(ErrorCode.RUN_CANCELLED, PerdureException::code)
                .withMessageContaining("was cancelled: not needed.");
    }

    private String parked(Run<Json> run) {
        return RunVerbsTest.run(
                run.id(), "parked", ",\"error\":{\"type\":\"PD-104\",\"message\":\"PD-104 other code.\"}");
    }

    @Test
    void result_onAParkedRun_throwsAtOnceWithItsReason() {
        Run<Json> run = run();
        server.then(ScriptedServer.answer(202, answer("parked", ""))).then(parked(run));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> run.result(Duration.ofDays(1)))
                .returns(ErrorCode.RUN_PARKED, PerdureException::code)
                .withMessageContaining("is parked: PD-104 other code. ")
                .withMessageContaining("`perdure runs resume " + run.id() + "`");
        assertThat(server.asked())
                .first()
                .extracting(ScriptedServer.Asked::target)
                .asString()
                .doesNotContain("parked");
    }

    @Test
    void result_whenTheRunWasResumedBeforeItsReasonIsRead_waitsOn() {
        Run<Json> run = run();
        server.then(ScriptedServer.answer(202, answer("parked", "")))
                .then(RunVerbsTest.run(run.id(), "running", ""))
                .then(answer("completed", ",\"output\":42"));

        assertThat(run.result(SOON)).isEqualTo(Json.of("42"));
    }

    @Test
    void resultAcrossParking_asksTheServerToWait() {
        Run<Json> run = run();
        server.then(ScriptedServer.answer(202, answer("parked", ""))).then(answer("completed", ",\"output\":42"));

        assertThat(run.resultAcrossParking(SOON)).isEqualTo(Json.of("42"));
        assertThat(server.asked())
                .hasSize(2)
                .allSatisfy(asked ->
                        assertThat(asked.target()).startsWith("/v1/runs/" + run.id() + "/result?parked=wait&wait="));
    }

    @Test
    void aRunThatHasNotEndedSaysWhereItStands() {
        Run<Json> run = run();
        server.then(ScriptedServer.answer(202, answer("parked", ""))).then(parked(run));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> run.resultAcrossParking(Duration.ZERO))
                .returns(ErrorCode.NO_RESULT_YET, PerdureException::code)
                .withMessageContaining("is parked after a wait of PT0S: PD-104 other code.");
        server.then(ScriptedServer.answer(202, answer("running", "")));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> run.result(Duration.ZERO))
                .withMessageContaining("is running after a wait of PT0S.");
    }

    @Test
    void aResultThatDoesNotFitIsSaidSo() {
        Run<Integer> run = run().as(Integer.class);
        server.then(answer("completed", ",\"output\":{\"a\":1}"));

        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> run.result(SOON))
                .returns(ErrorCode.UNFIT_VALUE, PerdureException::code)
                .withMessageContaining("The result of run " + run.id());
    }

    @Test
    void aWaitGoesOnThroughAServerThatComesBack() {
        Run<Json> run = run();
        server.then(
                        ScriptedServer.problem(503, new StoreException(ErrorCode.STORE_CLOSED, "Draining.")),
                        ScriptedServer.dropped(),
                        ScriptedServer.answer(502, "<html>Bad Gateway</html>"))
                .then(answer("completed", ",\"output\":{\"n\":1.50}"));

        assertThat(run.result(SOON).text()).isEqualTo("{\"n\":1.50}");
    }

    @Test
    void whoIsInterruptedHearsThatThereIsNoResultYet() throws InterruptedException {
        Run<Json> run = run();
        CountDownLatch never = new CountDownLatch(1);
        server.then(ScriptedServer.held(never, ScriptedServer.answer(202, answer("running", ""))));
        Later<Boolean> heard = new Later<>();
        Thread waiter = new SystemEnvironment()
                .start(
                        "waiter",
                        () -> heard.complete(() -> {
                            assertThatExceptionOfType(RefusedException.class)
                                    .isThrownBy(() -> run.result(Duration.ofMinutes(5)))
                                    .returns(ErrorCode.NO_RESULT_YET, PerdureException::code);
                            return Thread.currentThread().isInterrupted();
                        }));
        Eventually.holds(() -> !server.asked().isEmpty());

        waiter.interrupt();

        assertThat(heard.await()).isTrue();
        never.countDown();
    }

    @Test
    void aCloseEndsAWait() {
        Run<Json> run = run();
        CountDownLatch never = new CountDownLatch(1);
        server.then(ScriptedServer.held(never, ScriptedServer.answer(202, answer("running", ""))));
        Later<ErrorCode> heard = new Later<>();
        new SystemEnvironment()
                .start(
                        "waiter",
                        () -> heard.complete(() -> {
                            try {
                                return ErrorCode.valueOf(
                                        run.result(Duration.ofMinutes(5)).text());
                            } catch (StoreException e) {
                                return e.code();
                            }
                        }));
        Eventually.holds(() -> !server.asked().isEmpty());

        client.close();

        assertThat(heard.await()).isEqualTo(ErrorCode.STORE_CLOSED);
        never.countDown();
    }

    private static Recorded step(long seq) {
        return new Recorded(
                seq, AT, null, new Event.StepCompleted(new StepName("s" + seq), Json.of("[1.0, \"é\"]"), AT));
    }

    private static Recorded completed(long seq) {
        return new Recorded(seq, AT, null, new Event.RunCompleted(Json.NULL));
    }

    private static String page(List<Recorded> events, String status, long next) {
        return "{\"events\":"
                + events.stream()
                        .map(event -> HistoryJson.write(event).text())
                        .collect(Collectors.joining(",", "[", "]"))
                + ",\"status\":\"" + status + "\",\"next\":" + next + "}";
    }

    @Test
    void aHistoryIsReadPageByPage() {
        Run<Json> run = run();
        List<Recorded> first =
                LongStream.range(0, 1_000).mapToObj(ResultsTest::step).toList();
        List<Recorded> rest = List.of(step(1_000), completed(1_001));
        server.then(page(first, "completed", 1_000)).then(page(rest, "completed", 1_002));

        assertThat(run.history())
                .isEqualTo(Stream.concat(first.stream(), rest.stream()).toList());
        assertThat(server.asked())
                .extracting(ScriptedServer.Asked::target)
                .containsExactly(
                        "/v1/runs/" + run.id() + "/history?from=0&limit=1000",
                        "/v1/runs/" + run.id() + "/history?from=1000&limit=1000");
    }

    @Test
    void aPageThatIsShortForItsLengthIsNotTakenForTheLast() {
        Run<Json> run = run();
        server.then(page(List.of(step(5)), "running", 6))
                .then(page(List.of(step(6)), "running", 7))
                .then(page(List.of(), "running", 7));

        assertThat(run.history(5)).containsExactly(step(5), step(6));
    }

    @Test
    void stepsAreThoseOfTheHistory() {
        Run<Json> run = run();
        server.then(page(List.of(step(1), completed(2)), "completed", 3));

        assertThat(run.steps()).extracting(step -> step.name().value()).containsExactly("s1");
    }

    @Test
    void aRunIsFollowedToItsEnd() {
        Run<Json> run = run();
        server.then(RunVerbsTest.run(run.id(), "running", ""))
                .then(page(List.of(step(3)), "running", 4))
                .then(page(List.of(), "running", 4))
                // It ended between the two looks that the server takes.
                .then(page(List.of(completed(4)), "running", 5));

        try (Following following = run.follow(3)) {
            assertThat(following.next(SOON)).containsExactly(step(3));
            assertThat(following.isOver()).isFalse();
            assertThat(following.next(SOON)).containsExactly(completed(4));
            assertThat(following.isOver()).isTrue();
            assertThat(following.next(SOON)).isEmpty();
        }
        String asked = "/v1/runs/" + run.id() + "/history?from=3&limit=1000&wait=";
        assertThat(server.asked().get(1).target()).startsWith(asked);
        assertThat(Double.parseDouble(server.asked().get(1).target().substring(asked.length())))
                .as("what is left of the time")
                .isPositive()
                .isLessThan((double) SOON.toSeconds());
    }

    @Test
    void aFailureIsTheEndUnlessTheRunWasRedriven() {
        Run<Json> run = run();
        Recorded failed = new Recorded(3, AT, null, new Event.RunFailed(new Failure("a", "b", null)));
        server.then(RunVerbsTest.run(run.id(), "running", ""))
                .then(page(List.of(failed), "running", 4))
                .then(page(List.of(), "failed", 4));

        try (Following following = run.follow(3)) {
            assertThat(following.next(SOON)).containsExactly(failed);
            assertThat(following.isOver()).isFalse();
            assertThat(following.next(SOON)).isEmpty();
            assertThat(following.isOver()).isTrue();
        }
    }

    @Test
    void aFailureIsNotTheEndWhereThereIsMoreAlready() {
        Run<Json> run = run();
        Recorded failed = new Recorded(3, AT, null, new Event.RunFailed(new Failure("a", "b", null)));
        Recorded again = new Recorded(4, AT, null, new Event.RunFailed(new Failure("a", "b", null)));
        String cut = page(List.of(failed), "failed", 4);
        server.then(cut.substring(0, cut.length() - 1) + ",\"more\":true}").then(page(List.of(again), "failed", 5));

        assertThat(run.history(3)).containsExactly(failed, again);
    }

    @Test
    void aLongAnswerIsReadWhole() {
        Run<Json> run = run();
        String text = "é".repeat(8_000_000);
        server.then(answer("completed", ",\"output\":\"" + text + "\""));

        assertThat(run.as(String.class).result(SOON)).isEqualTo(text);
    }
}
