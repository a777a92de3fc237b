package io.perdure.core.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StepInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepInfoTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final StepName NAP = new StepName("nap");
    private static final StepName PAY = new StepName("pay");
    private static final StepName ANSWER = new StepName("answer");
    private static final EventName REPLY = new EventName("reply");

    private static Recorded sleep(Instant until) {
        return new Recorded(1, NOON, until, new Event.SleepStarted(NAP));
    }

    private static Recorded after(Duration later, Event event) {
        return new Recorded(2, NOON.plus(later), null, event);
    }

    @Test
    void aSleepThatTheCodeWentOnAfterLastedUntilItsEnd() {
        Event step = new Event.StepCompleted(PAY, Json.NULL, NOON.plusSeconds(61));
        List<StepInfo> steps = StepInfo.of(List.of(sleep(NOON.plusSeconds(60)), after(Duration.ofSeconds(62), step)));
        assertThat(steps).extracting(StepInfo::name).containsExactly(NAP, PAY);
        assertThat(steps.getFirst().took()).contains(Duration.ofSeconds(60));
        assertThat(steps.getLast().took()).contains(Duration.ofSeconds(1));
    }

    @Test
    void aSleepInWhichTheRunWasCancelledIsNotDone() {
        Event cancelled = new Event.RunCancelled("perdure", "The deadline has passed.");
        StepInfo sleep = StepInfo.of(List.of(sleep(NOON.plusSeconds(60)), after(Duration.ofSeconds(5), cancelled)))
                .getFirst();
        assertThat(sleep.endedAt()).isNull();
        assertThat(sleep.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void aSleepUntilATimeThatWasOverTookNoTime() {
        Event completed = new Event.RunCompleted(Json.NULL);
        StepInfo sleep = StepInfo.of(List.of(sleep(NOON.minusSeconds(60)), after(Duration.ofSeconds(5), completed)))
                .getFirst();
        assertThat(sleep.took()).contains(Duration.ZERO);
    }

    private static Recorded waiting(Instant until) {
        return new Recorded(1, NOON, until, new Event.WaitStarted(ANSWER, REPLY, null));
    }

    private static Event received(Json payload) {
        return new Event.EventReceived(ANSWER, REPLY, 1, payload);
    }

    @Test
    void aWaitTellsForWhatAndUntilWhen() {
        StepInfo wait = StepInfo.of(List.of(waiting(NOON.plusSeconds(60)))).getFirst();
        assertThat(wait.kind()).isEqualTo(StepInfo.Kind.WAIT);
        assertThat(wait.event()).isEqualTo(REPLY);
        assertThat(wait.startedAt()).isEqualTo(NOON);
        assertThat(wait.next()).isEqualTo(NOON.plusSeconds(60));
        assertThat(wait.endedAt()).isNull();
        assertThat(wait.output()).isNull();

        assertThat(StepInfo.of(List.of(waiting(Due.FAR_FUTURE))).getFirst().next())
                .isNull();
    }

    @Test
    void aWaitEndsWithWhatItTook() {
        StepInfo wait = StepInfo.of(
                        List.of(waiting(NOON.plusSeconds(60)), after(Duration.ofSeconds(5), received(Json.NULL))))
                .getFirst();
        assertThat(wait.took()).contains(Duration.ofSeconds(5));
        assertThat(wait.output()).isEqualTo(Json.NULL);
        assertThat(wait.next()).isNull();
    }

    @Test
    void aWaitWhoseEventWasThereTookNoTime() {
        StepInfo wait = StepInfo.of(List.of(after(Duration.ofSeconds(5), received(Json.number(7)))))
                .getFirst();
        assertThat(wait.kind()).isEqualTo(StepInfo.Kind.WAIT);
        assertThat(wait.event()).isEqualTo(REPLY);
        assertThat(wait.took()).contains(Duration.ZERO);
        assertThat(wait.output()).isEqualTo(Json.number(7));
    }

    @Test
    void aWaitThatTimedOutEndedWhenItWasTo() {
        Event timedOut = new Event.WaitTimedOut(ANSWER);
        StepInfo wait = StepInfo.of(List.of(waiting(NOON.plusSeconds(60)), after(Duration.ofSeconds(62), timedOut)))
                .getFirst();
        assertThat(wait.took()).contains(Duration.ofSeconds(60));
        assertThat(wait.output()).isNull();
        assertThat(wait.next()).isNull();
    }

    @Test
    void aWaitInWhichTheRunWasCancelledIsNotDone() {
        Event cancelled = new Event.RunCancelled("user", "enough");
        StepInfo wait = StepInfo.of(List.of(waiting(NOON.plusSeconds(60)), after(Duration.ofSeconds(5), cancelled)))
                .getFirst();
        assertThat(wait.endedAt()).isNull();
    }

    @Test
    void aFailedStepTellsWhyAndWhenItIsTriedAgain() {
        Failure why = new Failure("Broken", "it broke", null);
        Recorded failed = new Recorded(1, NOON, NOON.plusSeconds(1), new Event.StepFailed(PAY, 1, why, true));
        StepInfo step = StepInfo.of(List.of(failed)).getFirst();
        assertThat(step.failure()).isEqualTo(why);
        assertThat(step.next()).isEqualTo(NOON.plusSeconds(1));
        assertThat(step.took()).isEmpty();
    }
}
