package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the code's waits become, given what the history and the mailbox hold. */
class ReplayWaitsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final StepName APPROVAL = new StepName("approval");
    private static final Match FOR_SEVEN = Match.where("order", 7).event("approved");
    private static final Wait WAIT = new Wait(APPROVAL, new EventName("approved"), Json.of("{\"order\":7}"));

    private static final WorkflowCode<Json, Object> TIMED =
            (ctx, _) -> ctx.waitForEvent("approval", Json.class, FOR_SEVEN, HOUR)
                    .map(Json::text)
                    .orElse("none");
    private static final WorkflowCode<Json, Object> ENDLESS =
            (ctx, _) -> ctx.waitForEvent("approval", Json.class, FOR_SEVEN).text();

    private static Histories waiting(@Nullable Instant until) {
        return Histories.empty().add(WAIT.started(), until);
    }

    @Test
    void anEmptyMailboxIsWaitedFor() {
        assertThat(Histories.empty().next(TIMED)).isEqualTo(new Command.AwaitEvent(WAIT, Due.in(HOUR), false));
        assertThat(Histories.empty().next(ENDLESS)).isEqualTo(new Command.AwaitEvent(WAIT, Due.never(), false));
    }

    @Test
    void aSignalThatCameEarlyIsTaken() {
        assertThat(Histories.empty()
                        .signalled("approved", "{\"order\":7,\"by\":\"ann\"}")
                        .next(TIMED))
                .isEqualTo(new Command.TakeEvent(WAIT, 1));
    }

    @Test
    void theFirstThatFitsIsTakenAndTheOthersStay() {
        assertThat(Histories.empty()
                        .signalled("rejected", "{\"order\":7}")
                        .signalled("approved", "{\"order\":8}")
                        .signalled("approved", "{\"order\":7.0}")
                        .signalled("approved", "{\"order\":7}")
                        .next(ENDLESS))
                .isEqualTo(new Command.TakeEvent(WAIT, 3));
    }

    @Test
    void aWaitWithoutANameForItsEventTakesItsOwn() {
        Wait own = new Wait(APPROVAL, new EventName("approval"), null);

        assertThat(Histories.empty()
                        .signalled("approved", "1")
                        .signalled("approval", "2")
                        .next((ctx, _) -> ctx.waitForEvent("approval", Integer.class)))
                .isEqualTo(new Command.TakeEvent(own, 2));
    }

    @Test
    void twoWaitsTakeTwoSignalsInTheirOrder() {
        WorkflowCode<Json, Object> code = (ctx, _) -> ctx.waitForEvent(
                        "first", Integer.class, Match.any().event("tick"))
                + 10 * ctx.waitForEvent("second", Integer.class, Match.any().event("tick"));

        assertThat(Histories.empty()
                        .signalled("tick", "1")
                        .signalled("tick", "2")
                        .play(code))
                .isEqualTo(new Command.Complete(Json.of("21")));
    }

    @Test
    void aWaitThatIsNotOverGoesOn() {
        Instant until = Histories.at(1).plus(HOUR);

        assertThat(waiting(until).next(TIMED)).isEqualTo(new Command.AwaitEvent(WAIT, Due.at(until), true));
        assertThat(waiting(null).next(ENDLESS)).isEqualTo(new Command.AwaitEvent(WAIT, Due.never(), true));
    }

    @Test
    void whatCameBeforeTheEndIsTakenByALateWorker() {
        Instant soonOver = Histories.at(1).plusSeconds(2);
        Histories history = waiting(soonOver).signalled("approved", "{\"order\":7}");

        assertThat(Replayer.next(Histories.workflow(TIMED), Codec.standard(), history.after(HOUR)))
                .isEqualTo(new Command.TakeEvent(WAIT, 1));
    }

    @Test
    void whatCameAfterTheEndIsTooLate() {
        Histories history = waiting(Histories.at(1)).signalled("approved", "{\"order\":7}");

        assertThat(history.next(TIMED)).isEqualTo(new Command.GiveUp(APPROVAL));
    }

    @Test
    void aReceivedEventIsAnsweredFromTheHistory() {
        Json payload = Json.of("{\"order\":7,\"by\":\"ann\"}");
        Histories history =
                waiting(Histories.at(9)).add(new Event.EventReceived(APPROVAL, new EventName("approved"), 1, payload));

        assertThat(history.next(TIMED)).isEqualTo(new Command.Complete(Json.string(payload.text())));
    }

    @Test
    void aWaitThatTimedOutAnswersNothing() {
        Histories history = waiting(Histories.at(2)).add(new Event.WaitTimedOut(APPROVAL));

        assertThat(history.next(TIMED)).isEqualTo(new Command.Complete(Json.string("none")));
    }

    @Test
    void anotherMatchOrEventUnderAWaitIsNotGuessedAt() {
        Instant until = Histories.at(1).plus(HOUR);
        WorkflowCode<Json, Object> otherMatch = (ctx, _) ->
                ctx.waitForEvent("approval", Json.class, Match.where("order", 8).event("approved"), HOUR);
        WorkflowCode<Json, Object> otherEvent =
                (ctx, _) -> ctx.waitForEvent("approval", Json.class, Match.where("order", 7), HOUR);

        assertThat(waiting(until).next(otherMatch)).isInstanceOfSatisfying(Command.Park.class, park -> {
            assertThat(park.reason()).isEqualTo("PD-104");
            assertThat(park.detail()).contains("recorded wait \"approval\" for event \"approved\" with {\"order\":7}");
            assertThat(park.detail()).contains("the code asked for event \"approved\" with {\"order\":8}");
        });
        assertThat(waiting(until).next(otherEvent))
                .isInstanceOfSatisfying(
                        Command.Park.class, park -> assertThat(park.reason()).isEqualTo("PD-104"));
    }

    @Test
    void theSameMatchWrittenAnotherWayIsTheSame() {
        Wait recorded = new Wait(APPROVAL, new EventName("approved"), Json.of("{ \"order\": 70e-1 }"));
        Instant until = Histories.at(1).plus(HOUR);

        assertThat(Histories.empty().add(recorded.started(), until).next(TIMED))
                .isEqualTo(new Command.AwaitEvent(WAIT, Due.at(until), true));
    }

    @Test
    void codeThatKnowsOfNoEndIsParkedWhereOneWasRecorded() {
        assertThat(waiting(Histories.at(1).plus(HOUR)).next(ENDLESS))
                .isInstanceOfSatisfying(
                        Command.Park.class,
                        park -> assertThat(park.detail()).contains("the code waits without an end"));
    }

    @Test
    void aNullPayloadNeedsAPlaceForIt() {
        Histories history =
                Histories.empty().add(new Event.EventReceived(APPROVAL, new EventName("approval"), 1, Json.NULL));

        assertThat(history.next((ctx, _) ->
                        ctx.waitForEvent("approval", Json.class, HOUR).map(Json::text)))
                .isEqualTo(new Command.Complete(Json.string("null")));
        assertThat(history.next((ctx, _) -> Optional.ofNullable(ctx.waitForEvent("approval", String.class))))
                .isEqualTo(new Command.Complete(Json.NULL));
        assertThat(history.next((ctx, _) -> ctx.waitForEvent("approval", String.class, HOUR)))
                .isInstanceOfSatisfying(
                        Command.Park.class, park -> assertThat(park.reason()).isEqualTo("PD-010"));
    }

    @Test
    void aReservedNameAndANegativeTimeoutAreMistakes() {
        assertThat(Histories.empty().next((ctx, _) -> ctx.waitForEvent("__mine", Json.class)))
                .isInstanceOfSatisfying(
                        Command.Park.class, park -> assertThat(park.reason()).isEqualTo("PD-001"));
        assertThat(Histories.empty().next((ctx, _) -> ctx.waitForEvent("a", Json.class, HOUR.negated())))
                .isInstanceOfSatisfying(
                        Command.Park.class, park -> assertThat(park.reason()).isEqualTo("PD-007"));
    }
}
