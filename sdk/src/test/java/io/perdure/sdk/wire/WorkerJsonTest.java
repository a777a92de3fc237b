package io.perdure.sdk.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.Samples;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Answer;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Progress;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent is what is read, to the letter. */
class WorkerJsonTest {
    private static final Held HELD = new Held(
            RunId.parse("0199a0b4-5a6e-7000-8000-000000000001"),
            UUID.fromString("6ba7b810-9dad-41d1-80b4-00c04fd430c8"));
    private static final Instant AT = Instant.parse("2026-11-16T12:00:00.123456Z");
    private static final Instant UNTIL = AT.plusSeconds(5);
    private static final Json SPELLED = Json.of("{\"b\": 1.50,  \"a\":\"\\u0000 \\\"x\\\\\", \"n\":1e2}");

    static Stream<Event> events() {
        return Samples.all().values().stream();
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEventComesBackAsItWasRecorded(Event event) {
        for (Instant until : new Instant[] {null, UNTIL}) {
            Recorded recorded = new Recorded(7, AT, until, event);

            assertThat(HistoryJson.recorded(checked(HistoryJson.write(recorded))))
                    .isEqualTo(recorded);
        }
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEventComesBackAsItWasCommitted(Event event) {
        boolean sleeps = event instanceof Event.SleepStarted;
        Draft draft = new Draft(event, sleeps ? Due.in(Duration.ofDays(400)) : null);
        CommitJson.Sent sent = new CommitJson.Sent(new Progress(HELD, 3, List.of(draft), null), false);

        assertThat(CommitJson.sent(checked(CommitJson.write(sent)))).isEqualTo(sent);
    }

    @Test
    void aCommitComesBackWithItsReleaseAndThatItIsSentAgain() {
        Draft wait = new Draft(
                new Event.WaitStarted(new StepName("verify"), new EventName("verified"), SPELLED), Due.at(UNTIL));
        for (Due ready : List.of(Due.atOnce(), Due.at(UNTIL), Due.never())) {
            Release release = new Release(ready, Set.of(new EventName("b"), new EventName("a")), 12);
            CommitJson.Sent sent = new CommitJson.Sent(new Progress(HELD, 9, List.of(wait), release), true);

            assertThat(CommitJson.sent(checked(CommitJson.write(sent)))).isEqualTo(sent);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"123", "true", "null", "[\"a\"]", "{}"})
    void whatIsNoStringIsNoNameOfAnEvent(String name) {
        Release release = new Release(Due.atOnce(), Set.of(new EventName("a")), 12);
        String sent = CommitJson.write(new CommitJson.Sent(new Progress(HELD, 9, List.of(), release), false))
                .text();

        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(() -> CommitJson.sent(Json.of(sent.replace("[\"a\"]", "[" + name + "]"))))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.NOT_JSON));
    }

    @Test
    void namesAndIdsAreReadHoweverTheyAreSpelled() {
        Release release = new Release(Due.atOnce(), Set.of(new EventName("a")), 12);
        CommitJson.Sent sent = new CommitJson.Sent(new Progress(HELD, 9, List.of(), release), false);
        Hints hints = new Hints(true, List.of(HELD.run()));

        assertThat(CommitJson.sent(Json.of(CommitJson.write(sent).text().replace("[\"a\"]", "[\"\\u0061\"]"))))
                .isEqualTo(sent);
        assertThat(Hints.read(Json.of(hints.json().text().replace("0199a0b4", "\\u0030199a0b4"))))
                .isEqualTo(hints);
        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(() -> Hints.read(Json.of(hints.json().text().replace("0199a0b4", "0199\\\"a0b4"))))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.INVALID_ID));
    }

    @Test
    void whatWasKeptComesBackAsTimesAlone() {
        Event.StepCompleted step = new Event.StepCompleted(new StepName("one"), SPELLED, AT);
        Event.SleepStarted sleep = new Event.SleepStarted(new StepName("nap"));
        Progress progress =
                new Progress(HELD, 4, List.of(new Draft(step), new Draft(sleep, Due.in(Duration.ofSeconds(5)))), null);
        Answer.Kept kept = new Answer.Kept(List.of(new Recorded(4, AT, null, step), new Recorded(5, AT, UNTIL, sleep)));
        Json json = checked(CommitJson.write(kept));

        assertThat(json.text()).doesNotContain("1.50");
        assertThat(CommitJson.answer(json, progress)).isEqualTo(kept);
    }

    @Test
    void everyOtherAnswerComesBack() {
        Progress progress = new Progress(HELD, 4, List.of(), Release.until(Due.atOnce()));
        for (Answer answer : List.of(
                new Answer.Kept(List.of()),
                new Answer.Lost("the lease is \"gone\""),
                new Answer.Woken(),
                new Answer.Refused(ErrorCode.HISTORY_FULL, "there are 100,000"))) {
            assertThat(CommitJson.answer(checked(CommitJson.write(answer)), progress))
                    .isEqualTo(answer);
        }
    }

    @Test
    void aCommitThatCouldNotBeTriedThrowsWhatItWasRefusedFor() {
        PerdureException unknown = ProblemJson.exception(ErrorCode.OUTCOME_UNKNOWN, "who knows");

        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(() -> CommitJson.answer(
                        CommitJson.write(unknown, 503), new Progress(HELD, 4, List.of(), Release.until(Due.atOnce()))))
                .satisfies(thrown -> {
                    assertThat(thrown).hasSameClassAs(unknown);
                    assertThat(thrown.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
                    assertThat(thrown.what()).isEqualTo("who knows");
                });
    }

    @Test
    void claimsAndAssignmentsComeBack() {
        Claim claim = new Claim(List.of(new Claim.Served(new WorkflowName("order"), Set.of(3, 1))), 17, true);
        Assignment assignment = new Assignment(
                HELD,
                new WorkflowName("order"),
                3,
                2,
                AT,
                UNTIL,
                List.of(new Recorded(
                        0, AT, null, Samples.all().values().iterator().next())),
                new Mailbox(4, List.of(new Mailbox.Letter(1, new EventName("verified"), SPELLED, AT))));
        Json claimed = ClaimJson.writeClaimed(List.of(ClaimJson.write(assignment)), Duration.ofMillis(1500), 7L);

        assertThat(ClaimJson.claim(checked(ClaimJson.write(claim, Duration.ofSeconds(20), 6))))
                .isEqualTo(claim);
        assertThat(ClaimJson.wait(ClaimJson.write(claim, Duration.ofSeconds(20), 6)))
                .isEqualTo(Duration.ofSeconds(20));
        assertThat(ClaimJson.answer(checked(claimed), WorkerJsonTest::unreadable))
                .isEqualTo(new ClaimJson.Answer(new Claimed(List.of(assignment), Duration.ofMillis(1500)), 7L));
        assertThat(ClaimJson.answer(ClaimJson.writeClaimed(List.of(), null, 1L), WorkerJsonTest::unreadable))
                .isEqualTo(new ClaimJson.Answer(new Claimed(List.of(), null), 1L));
        assertThat(ClaimJson.received(ClaimJson.write(claim, Duration.ZERO, 6))).isEqualTo(6);
        assertThat(ClaimJson.leases(ClaimJson.write("leases", List.of(HELD)), "leases"))
                .containsExactly(HELD);
    }

    @Test
    void anAnswerOfAServerThatNotesNothingHasNoNumber() {
        assertThat(ClaimJson.writeClaimed(List.of(), null, null).text()).isEqualTo("{\"runs\":[]}");
        for (String none : List.of("{\"runs\":[]}", "{\"number\":0,\"runs\":[]}", "{\"number\":null,\"runs\":[]}")) {
            assertThat(ClaimJson.answer(Json.of(none), WorkerJsonTest::unreadable)
                            .number())
                    .as(none)
                    .isNull();
        }
    }

    @Test
    void aRunThatCannotBeReadKeepsNoOtherFromGoingOn() {
        Assignment good = new Assignment(
                HELD,
                new WorkflowName("order"),
                3,
                2,
                AT,
                null,
                List.of(new Recorded(
                        0, AT, null, Samples.all().values().iterator().next())),
                new Mailbox(4, List.of()));
        Json written = ClaimJson.write(good);
        List<Json> runs = List.of(
                Json.of(written.text().replace("\"order\"", "\"NO NAME\"")),
                written,
                Json.of(written.text().replace("\"lapses\":2", "\"lapses\":-2")),
                Json.of("7"));
        List<ErrorCode> told = new ArrayList<>();

        ClaimJson.Answer answer =
                ClaimJson.answer(checked(ClaimJson.writeClaimed(runs, null, 9L)), why -> told.add(why.code()));

        assertThat(answer).isEqualTo(new ClaimJson.Answer(new Claimed(List.of(good), null), 9L));
        assertThat(told).containsExactly(ErrorCode.INVALID_NAME, ErrorCode.INVALID_FIELD, ErrorCode.NOT_JSON);
    }

    @Test
    void hintsPollsPresenceAndTermsComeBack() {
        Hints hints = new Hints(true, List.of(HELD.run()));
        List<Claim.Served> served = List.of(new Claim.Served(new WorkflowName("order"), Set.of(1)));
        Poll poll = new Poll(served, Duration.ofSeconds(25));
        Presence presence = new Presence(new ProcessId(HELD.token()), "4711@\"host\"", served, 1000);
        Terms terms = new Terms(Set.of(1, 2), "0.2.0", Duration.ofSeconds(10));

        assertThat(Hints.read(checked(hints.json()))).isEqualTo(hints);
        assertThat(Poll.read(checked(poll.json()))).isEqualTo(poll);
        assertThat(Presence.read(checked(presence.json()))).isEqualTo(presence);
        assertThat(Terms.read(checked(terms.json()))).isEqualTo(terms);
    }

    @Test
    void theNewestProtocolThatBothSpeakIsAgreedOn() {
        Terms both = new Terms(Set.of(1, 2), "0.2.0", Duration.ofSeconds(10));

        assertThat(both.agree(Set.of(1))).contains(1);
        assertThat(both.agree(Set.of(2, 3))).contains(2);
        assertThat(both.agree(Set.of(1, 2))).contains(2);
        assertThat(both.agree(Set.of(3))).isEmpty();
    }

    @Test
    void membersOfANewerReleaseAreIgnored() {
        Json commit = Json.of("""
                {"run": "%s", "token": "%s", "seq": 1, "colour": {"deep": [1]}, "release": null,
                 "events": [{"size": 1, "event": {"type": "SleepStarted", "v": 1, "name": "nap", "mood": "calm"},
                             "until": {"in": "PT5S", "zone": "UTC"}}]}
                """.formatted(HELD.run(), HELD.token()));
        Json terms = Json.of("{\"protocols\": [1], \"server\": \"0.2.0\", \"lease\": \"PT10S\", \"motto\": []}");
        Json answer = Json.of("{\"lost\": \"gone\", \"to\": \"somebody\"}");

        assertThat(CommitJson.sent(commit))
                .isEqualTo(new CommitJson.Sent(
                        new Progress(
                                HELD,
                                1,
                                List.of(new Draft(
                                        new Event.SleepStarted(new StepName("nap")), Due.in(Duration.ofSeconds(5)))),
                                null),
                        false));
        assertThat(Terms.read(terms)).isEqualTo(new Terms(Set.of(1), "0.2.0", Duration.ofSeconds(10)));
        assertThat(CommitJson.answer(answer, new Progress(HELD, 1, List.of(), null)))
                .isEqualTo(new Answer.Lost("gone"));
        assertThat(Hints.read(Json.of("{\"due\": false, \"ended\": [], \"weather\": 1}")))
                .isEqualTo(new Hints(false, List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"run\": \"1\", \"token\": \"%t\", \"seq\": 1, \"events\": []}",
                "{\"run\": \"%r\", \"token\": \"1-1-1-1-1\", \"seq\": 1, \"events\": []}",
                "{\"run\": \"%r\", \"token\": \"%t\", \"seq\": 1.5, \"events\": []}",
                "{\"run\": \"%r\", \"token\": \"%t\", \"seq\": 1, \"events\": {}}",
                "{\"run\": \"%r\", \"token\": \"%t\", \"seq\": 1, \"events\": [{\"event\": {\"type\": \"Nonsense\", \"v\": 1}}]}",
                "{\"run\": \"%r\", \"token\": \"%t\", \"seq\": 1, \"events\": [{\"event\": {\"type\": \"WaitTimedOut\"}}]}",
                "{\"run\": \"%r\", \"token\": \"%t\", \"seq\": 1, \"events\": [], \"release\": {\"ready\": {\"in\": \"soon\"}, \"wakeOn\": [], \"wakes\": 0}}",
                "{\"run\": \"%r\", \"token\": \"%t\", \"seq\": 1, \"events\": [], \"release\": {\"ready\": {}, \"wakeOn\": [1], \"wakes\": \"0\"}}"
            })
    void whatIsNoCommitIsRefused(String text) {
        Json json = Json.of(text.replace("%r", HELD.run().toString())
                .replace("%t", HELD.token().toString()));

        assertThatExceptionOfType(PerdureException.class).isThrownBy(() -> CommitJson.sent(json));
    }

    @Test
    void aValueThatNestsTooDeepIsRefusedAlsoInsideAnEnvelope() {
        String tooDeep = "[".repeat(129) + "]".repeat(129);
        String text = JsonObject.builder()
                .put("event", Json.ofStored("{\"type\":\"RunCompleted\",\"v\":1,\"result\":" + tooDeep + "}"))
                .build()
                .text();
        Json envelope = Json.ofEnvelope(text);

        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(() -> HistoryJson.draft(envelope))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.JSON_TOO_DEEP));
        assertThat(HistoryJson.draft(Json.ofEnvelope(text.replace(tooDeep, tooDeep.substring(1, 257)))))
                .isNotNull();
    }

    /** As the other side would check it. */
    private static Json checked(Json written) {
        return Json.ofEnvelope(written.text());
    }

    private static void unreadable(PerdureException e) {
        throw new AssertionError(e);
    }
}
