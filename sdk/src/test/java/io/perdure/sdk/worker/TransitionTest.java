package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Transition.Action;
import io.perdure.sdk.worker.Transition.Effect;
import io.perdure.sdk.worker.Transition.Position;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table that decides what a StepFlow does next: every event, under every condition, leads to one row. */
class TransitionTest {
    private static final int MOST = 3;
    private static final StepName STEP = new StepName("charge");
    private static final StepName NEXT = new StepName("ship");
    private static final Instant LATER = Histories.START.plusSeconds(60);
    private static final Failure BROKEN = Histories.BROKEN;
    private static final Event.RunFailed RUN_FAILED = new Event.RunFailed(BROKEN);
    private static final Event.RunRedriven REDRIVEN = new Event.RunRedriven("operator", "mended");
    private static final Event.RunParked PARKED = new Event.RunParked("PD-105", "no such step");
    private static final Event.RunResumed RESUMED = new Event.RunResumed("operator", "mended", null);

    /** Where a run stands, and what the table is to say. */
    record Row(Event last, boolean redriven, Transition transition, Action action) {
        Position position() {
            return new Position(last, LATER, redriven, MOST);
        }
    }

    static Stream<Row> rows() {
        return Stream.of(false, true).flatMap(redriven -> Stream.concat(decided(redriven), undecided(redriven)));
    }

    private static Stream<Row> decided(boolean redriven) {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row(created(), redriven, Transition.BEGIN, start("start", 1, null)));
        for (int attempt = 1; attempt <= MOST; attempt++) {
            rows.add(new Row(
                    new Event.StepStarted(STEP, attempt),
                    redriven,
                    Transition.BEGIN_ANEW,
                    start("charge", attempt, null)));
            rows.add(new Row(done(attempt, null, NEXT), redriven, Transition.GO_ON, start("ship", 1, null)));
            rows.add(new Row(
                    done(attempt, Json.of("7"), null),
                    redriven,
                    Transition.COMPLETE,
                    new Action.CompleteRun(Json.of("7"))));
            rows.add(new Row(
                    done(attempt, null, null), redriven, Transition.COMPLETE, new Action.CompleteRun(Json.NULL)));
            for (boolean retryable : new boolean[] {false, true}) {
                rows.add(failed(attempt, retryable, redriven));
            }
        }
        return rows.stream();
    }

    private static Row failed(int attempt, boolean retryable, boolean redriven) {
        Event.StepFailed failed = new Event.StepFailed(STEP, attempt, BROKEN, retryable);
        if (redriven) {
            return new Row(failed, true, Transition.REDRIVE, start("charge", 1, null));
        }
        return retryable && attempt < MOST
                ? new Row(failed, false, Transition.TRY_AGAIN, start("charge", attempt + 1, LATER))
                : new Row(failed, false, Transition.GIVE_UP, new Action.FailRun(BROKEN));
    }

    private static Stream<Row> undecided(boolean redriven) {
        EventName paid = new EventName("paid");
        WorkflowName child = new WorkflowName("child");
        Stream<Row> over = Stream.of(
                        Map.entry(PARKED, Transition.REST),
                        Map.entry(new Event.RunCompleted(Json.NULL), Transition.COMPLETED),
                        Map.entry(RUN_FAILED, Transition.FAILED),
                        Map.entry(new Event.RunCancelled("operator", "enough"), Transition.CANCELLED))
                .map(entry -> new Row(entry.getKey(), redriven, entry.getValue(), new Action.None(entry.getKey())));
        Stream<Row> foreign = Stream.<Event>of(
                        new Event.SleepStarted(STEP),
                        new Event.WaitStarted(STEP, paid, null),
                        new Event.EventReceived(STEP, paid, 1, Json.NULL),
                        new Event.WaitTimedOut(STEP),
                        new Event.ChildStarted(STEP, Histories.RUN, child),
                        new Event.ChildEnded(STEP, Histories.RUN, RunStatus.COMPLETED, 1, Json.NULL, null),
                        RESUMED,
                        REDRIVEN)
                .map(event -> new Row(event, redriven, Transition.FOREIGN, new Action.None(event)));
        return Stream.concat(over, foreign);
    }

    private static Event created() {
        return new Event.RunCreated(
                new WorkflowName("sample"), 1, RunKind.STEP_FLOW, Json.NULL, Map.of(), null, null, null, Map.of());
    }

    private static Event done(int attempt, @Nullable Json output, @Nullable StepName next) {
        return new Event.StepCompleted(STEP, attempt, output, Map.of(), next, Histories.START);
    }

    private static Action start(String step, int attempt, @Nullable Instant notBefore) {
        return new Action.StartStep(new StepName(step), attempt, notBefore);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void anEventLeadsToItsRow(Row row) {
        assertThat(Transition.of(row.position())).isEqualTo(row.transition());
        assertThat(Transition.after(row.position())).isEqualTo(row.action());
        assertThat(effect(row.action())).isEqualTo(row.transition().effect());
        if (row.transition() == Transition.FOREIGN) {
            assertThat(Stream.of(Transition.values()).map(Transition::event))
                    .doesNotContain(row.last().getClass());
        } else {
            assertThat(row.transition().event()).isEqualTo(row.last().getClass());
        }
    }

    private static Effect effect(Action action) {
        return switch (action) {
            case Action.StartStep _ -> Effect.START_STEP;
            case Action.CompleteRun _ -> Effect.COMPLETE_RUN;
            case Action.FailRun _ -> Effect.FAIL_RUN;
            case Action.None _ -> Effect.NONE;
        };
    }

    /** A new kind of event has no place in the table until it is placed here too. */
    @Test
    void everyEventIsPlacedAndEveryRowIsReached() {
        assertThat(rows().<Class<?>>map(row -> row.last().getClass()).distinct())
                .containsExactlyInAnyOrder(Event.class.getPermittedSubclasses());
        assertThat(rows().map(Row::transition).distinct()).containsExactlyInAnyOrder(Transition.values());
    }

    @Test
    void rowsOfTheSameEventAreToldApartByTheirConditions() {
        assertThat(Transition.values())
                .allSatisfy(row -> assertThat(Stream.of(Transition.values())
                                .filter(other -> other.event() == row.event())
                                .map(Transition::condition))
                        .doesNotHaveDuplicates());
    }

    /** Whatever put a run back to work: the event before decides, as it did then. */
    @ParameterizedTest
    @MethodSource("rows")
    void aRunThatWasPutBackToWorkStandsWhereItStood(Row row) {
        if (row.redriven() || row.transition().effect() == Effect.NONE) {
            return;
        }
        assertThat(standing(row.last())).isEqualTo(row.position());
        assertThat(standing(row.last(), RESUMED)).isEqualTo(row.position());
        assertThat(standing(row.last(), PARKED, RESUMED)).isEqualTo(row.position());
        assertThat(standing(row.last(), PARKED, RESUMED, PARKED, RESUMED)).isEqualTo(row.position());
        Position redriven = new Position(row.last(), LATER, true, MOST);
        assertThat(standing(row.last(), RUN_FAILED, REDRIVEN)).isEqualTo(redriven);
        assertThat(standing(row.last(), RUN_FAILED, REDRIVEN, PARKED, RESUMED)).isEqualTo(redriven);
        assertThat(standing(row.last(), PARKED, RESUMED, RUN_FAILED, REDRIVEN)).isEqualTo(redriven);
    }

    @Test
    void aRunThatNobodyPutBackToWorkRests() {
        Event failed = new Event.StepFailed(STEP, 1, BROKEN, true);
        assertThat(standing(failed, PARKED).last()).isEqualTo(PARKED);
        assertThat(standing(failed, PARKED, RESUMED, PARKED).last()).isEqualTo(PARKED);
        assertThat(standing(failed, RUN_FAILED).last()).isEqualTo(RUN_FAILED);
        assertThat(standing(failed, RUN_FAILED, REDRIVEN, PARKED).last()).isEqualTo(PARKED);
    }

    @Test
    void attemptsAreCountedAnewOnceAfterARedrive() {
        Event failed = new Event.StepFailed(STEP, MOST, BROKEN, true);
        assertThat(Transition.of(standing(failed, RUN_FAILED, REDRIVEN))).isEqualTo(Transition.REDRIVE);
        assertThat(Transition.of(standing(failed, RUN_FAILED, REDRIVEN, new Event.StepStarted(STEP, 1), failed)))
                .isEqualTo(Transition.GIVE_UP);
    }

    /** Where a run stands with these events after its start, each with a time to come. */
    private static Position standing(Event... events) {
        List<Recorded> history = new ArrayList<>();
        history.add(new Recorded(0, Histories.START, null, created()));
        for (Event event : events) {
            history.add(new Recorded(history.size(), Histories.at(history.size()), LATER, event));
        }
        return Position.of(history, MOST);
    }
}
