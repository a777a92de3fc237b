package io.perdure.core.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepInfoTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final StepName NAP = new StepName("nap");
    private static final StepName PAY = new StepName("pay");

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
