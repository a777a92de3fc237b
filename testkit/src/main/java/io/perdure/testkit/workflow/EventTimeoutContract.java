package io.perdure.testkit.workflow;

import static io.perdure.testkit.TimedAttempt.withTimeEnough;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Waits that end without an event, and which signals came in time. */
abstract class EventTimeoutContract extends WorkflowFixture {
    private static final Duration SHORT = Duration.ofMillis(300);
    /** Long enough to close an engine and send a signal within, as a rule. */
    private static final Duration LONG = Duration.ofSeconds(1);

    EventTimeoutContract(Opening opening) {
        super(opening);
    }

    /** Waits once, and then for whatever comes. */
    private static Workflow<String, String> twice(Duration timeout) {
        return workflow(String.class, (ctx, _) -> {
            String first = ctx.waitForEvent("first", String.class, Match.any().event("paid"), timeout)
                    .orElse("nothing");
            String second = ctx.waitForEvent("second", String.class, Match.any().event("paid"), PATIENCE)
                    .orElse("nothing");
            return first + ", " + second;
        });
    }

    @Test
    final void aWaitThatEndsWithoutAnEventIsRecordedOnceAndStaysSo() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> {
            boolean came = ctx.waitForEvent("paid", String.class, SHORT).isPresent();
            Instant then = ctx.now();
            // Let go of, and replayed.
            ctx.waitForEvent("sent", String.class);
            return came + " " + then;
        });
        until(() -> events(run, Event.WaitStarted.class).size() == 2 && perdure.working() == 0);
        perdure.signal(run.id(), "paid", "too late");
        perdure.signal(run.id(), "sent", "");

        String result = run.result(PATIENCE);
        assertThat(events(run, Event.WaitStarted.class)).hasSize(2);
        assertThat(events(run, Event.WaitTimedOut.class)).hasSize(1);
        assertThat(events(run, Event.EventReceived.class))
                .extracting(Event.EventReceived::payload)
                .containsExactly(Json.string(""));
        Recorded begun = of(run, Event.WaitStarted.class);
        Recorded ended = of(run, Event.WaitTimedOut.class);
        assertThat(begun.until()).isEqualTo(begun.at().plus(SHORT));
        assertThat(ended.at()).isAfterOrEqualTo(begun.until());
        assertThat(result).isEqualTo("false " + ended.at());
    }

    private static Recorded of(Run<?> run, Class<? extends Event> kind) {
        return run.history().stream()
                .filter(recorded -> kind.isInstance(recorded.event()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    final void aWaitWithAnEndTakesWhatComesBeforeIt() throws InterruptedException {
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.waitForEvent("paid", String.class, PATIENCE).orElse("nothing"));
        untilItWaits(run);
        perdure.signal(run.id(), "paid", "in time");

        assertThat(run.result(PATIENCE)).isEqualTo("in time");
        assertThat(events(run, Event.WaitTimedOut.class)).isEmpty();
    }

    @Test
    final void aSignalThatDoesNotFitMovesNoEnd() throws InterruptedException {
        Workflow<String, String> picky = serve(
                String.class,
                (ctx, timeout) -> ctx.waitForEvent("paid", String.class, Match.where("id", 1), Duration.parse(timeout))
                        .orElse("nothing"));
        withTimeEnough(SHORT, timeout -> {
            Run<String> run = perdure.start(picky, timeout.toString());
            untilItWaits(run);
            boolean inTime = signalledBeforeItEnds(run, 20);

            assertThat(run.result(PATIENCE)).isEqualTo("nothing");
            assertThat(events(run, Event.WaitStarted.class)).hasSize(1);
            assertThat(of(run, Event.WaitTimedOut.class).at())
                    .isAfterOrEqualTo(of(run, Event.WaitStarted.class).until());
            return inTime;
        });
    }

    private boolean signalledBeforeItEnds(Run<?> run, int times) {
        try {
            for (int number = 0; number < times; number++) {
                perdure.signal(run.id(), "paid", number);
            }
            return true;
        } catch (PerdureException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.RUN_ENDED);
            return false;
        }
    }

    @Test
    final void aWaitOfNoLengthTakesWhatIsThere() {
        Workflow<String, String> look = twice(Duration.ZERO);
        Run<String> run = perdure.start(look, "");
        perdure.signal(run.id(), "paid", "here");
        perdure.signal(run.id(), "paid", "and there");
        perdure.register(look).start();

        assertThat(run.result(PATIENCE)).isEqualTo("here, and there");
        assertThat(events(run, Event.WaitTimedOut.class)).isEmpty();
    }

    @Test
    final void aWaitOfNoLengthEndsWhereNothingIsThere() throws InterruptedException {
        Workflow<String, String> look = twice(Duration.ZERO);
        perdure.register(look).start();
        Run<String> run = perdure.start(look, "");
        until(() -> !events(run, Event.WaitTimedOut.class).isEmpty());
        perdure.signal(run.id(), "paid", "later");

        assertThat(run.result(PATIENCE)).isEqualTo("nothing, later");
    }

    @Test
    final void aWaitOfCenturiesIsTaken() throws InterruptedException {
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.waitForEvent("paid", String.class, Duration.ofSeconds(Long.MAX_VALUE))
                        .orElse("nothing"));
        untilItWaits(run);
        perdure.signal(run.id(), "paid", "before");

        assertThat(run.result(PATIENCE)).isEqualTo("before");
    }

    @Test
    final void whatCameBeforeTheEndIsTakenThoughNobodyWorkedThen() throws InterruptedException {
        withTimeEnough(LONG, this::takesWhatCameBeforeTheEnd);
    }

    private boolean takesWhatCameBeforeTheEnd(Duration timeout) throws InterruptedException {
        Workflow<String, String> twice = twice(timeout);
        reopen(OpenOptions.defaults());
        try (Engine other = another()) {
            perdure.register(twice).start();
            Run<String> run = other.run(twice, perdure.start(twice, "").id());
            untilItWaits(run);
            Instant end =
                    Objects.requireNonNull(of(run, Event.WaitStarted.class).until());
            perdure.close();
            other.signal(run.id(), "paid", "in time");
            if (!Instant.now().isBefore(end)) {
                return false;
            }
            until(() -> Instant.now().isAfter(end.plus(SHORT)));
            other.signal(run.id(), "paid", "too late");
            reopen(OpenOptions.defaults());
            perdure.register(twice).start();

            assertThat(run.result(PATIENCE)).isEqualTo("in time, too late");
            assertThat(events(run, Event.WaitTimedOut.class)).isEmpty();
            return true;
        }
    }

    @Test
    final void whatCameAfterTheEndIsLeftForALaterWait() throws InterruptedException {
        Workflow<String, String> twice = twice(SHORT);
        try (Engine other = another()) {
            perdure.register(twice).start();
            Run<String> run = other.run(twice, perdure.start(twice, "").id());
            until(() -> !events(run, Event.WaitStarted.class).isEmpty());
            Instant end =
                    Objects.requireNonNull(of(run, Event.WaitStarted.class).until());
            perdure.close();
            until(() -> Instant.now().isAfter(end.plus(SHORT)));
            other.signal(run.id(), "paid", "too late");
            reopen(OpenOptions.defaults());
            perdure.register(twice).start();

            assertThat(run.result(PATIENCE)).isEqualTo("nothing, too late");
            assertThat(events(run, Event.WaitTimedOut.class)).hasSize(1);
            assertThat(events(run, Event.EventReceived.class)).hasSize(1);
        }
    }
}
