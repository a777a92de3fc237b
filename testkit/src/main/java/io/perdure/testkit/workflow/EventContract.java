package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Waits for events, and the signals that end them. */
abstract class EventContract extends WorkflowFixture {
    private static final int CROWD = 1_000;
    private static final int SENDERS = 16;
    private static final int TURNS = 30;

    EventContract(Opening opening) {
        super(opening);
    }

    @Test
    final void aSignalThatCameBeforeItsWaitIsTaken() {
        CountDownLatch go = new CountDownLatch(1);
        Run<String> run = started(String.class, (ctx, _) -> {
            ctx.step("hold", () -> await(go));
            return ctx.waitForEvent("paid", String.class);
        });
        perdure.signal(run.id(), "paid", "early");
        go.countDown();

        assertThat(run.result(PATIENCE)).isEqualTo("early");
        assertThat(events(run, Event.WaitStarted.class)).isEmpty();
        assertThat(events(run, Event.EventReceived.class)).hasSize(1);
    }

    @Test
    final void aSignalThatCameBeforeItsRunWasWorkedOnIsTaken() {
        Workflow<String, String> waiter = workflow(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        Run<String> run = perdure.start(waiter, "");
        perdure.signal(run.id(), "paid", "very early");
        perdure.register(waiter).start();

        assertThat(run.result(PATIENCE)).isEqualTo("very early");
        assertThat(events(run, Event.WaitStarted.class)).isEmpty();
    }

    @Test
    final void aSignalWakesTheRunThatWaitsForIt() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        untilItWaits(run);
        perdure.signal(run.id(), "paid", "at last");

        assertThat(run.result(PATIENCE)).isEqualTo("at last");
        assertThat(run.history())
                .extracting(recorded -> recorded.event().getClass().getSimpleName())
                .containsExactly("RunCreated", "WaitStarted", "EventReceived", "RunCompleted");
    }

    @Test
    final void aSignalOfAnotherNameDoesNotEndAWait() throws InterruptedException {
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.waitForEvent("paid", String.class) + ctx.waitForEvent("sent", String.class));
        untilItWaits(run);
        perdure.signal(run.id(), "sent", "there");
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        perdure.signal(run.id(), "paid", "here and ");

        assertThat(run.result(PATIENCE)).isEqualTo("here and there");
    }

    @Test
    final void theFirstThatFitsIsTakenAndTheOthersStayForLaterWaits() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> {
            String fits = said(ctx.waitForEvent("order", Json.class, Match.where("id", 1)));
            return fits
                    + said(ctx.waitForEvent("next", Json.class, Match.any().event("order")))
                    + said(ctx.waitForEvent("last", Json.class, Match.any().event("order")));
        });
        untilItWaits(run);
        perdure.signal(run.id(), "order", Map.of("id", 2, "say", "b"));
        perdure.signal(run.id(), "order", Map.of("id", 1, "say", "a"));
        perdure.signal(run.id(), "order", Map.of("id", 1, "say", "c"));

        assertThat(run.result(PATIENCE)).isEqualTo("abc");
        assertThat(events(run, Event.EventReceived.class))
                .extracting(Event.EventReceived::signal)
                .containsExactly(2L, 1L, 3L);
    }

    private static String said(Json payload) {
        return JsonObject.parse(payload).string("say");
    }

    @Test
    final void equalSignalsAreTakenInTheOrderTheyCame() {
        Workflow<String, String> waiter = workflow(String.class, (ctx, _) -> {
            StringBuilder all = new StringBuilder();
            for (int turn = 0; turn < 5; turn++) {
                all.append(ctx.waitForEvent(
                        "letter-" + turn, String.class, Match.any().event("letter")));
            }
            return all.toString();
        });
        Run<String> run = perdure.start(waiter, "");
        for (String letter : List.of("h", "e", "l", "l", "o")) {
            perdure.signal(run.id(), "letter", letter);
        }
        perdure.register(waiter).start();

        assertThat(run.result(PATIENCE)).isEqualTo("hello");
        assertThat(events(run, Event.EventReceived.class))
                .extracting(Event.EventReceived::signal)
                .containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    final void aPayloadMayHoldMoreThanIsAskedForAndNumbersAreComparedByValue() throws InterruptedException {
        Match nested = Match.where("order", Map.of("lines", List.of(Map.of("amount", 7)), "paid", true));
        Run<String> run = started(String.class, (ctx, _) -> said(ctx.waitForEvent("order", Json.class, nested)));
        untilItWaits(run);
        perdure.signal(run.id(), "order", Map.of("say", "flat", "amount", 7));
        perdure.signal(run.id(), "order", order("less", 7.5));
        perdure.signal(run.id(), "order", order("fits", 7.0));

        assertThat(run.result(PATIENCE)).isEqualTo("fits");
    }

    private static Map<String, Object> order(String say, double amount) {
        Map<String, Object> line = Map.of("amount", amount, "item", "book");
        return Map.of("say", say, "order", Map.of("lines", List.of(Map.of("amount", 1), line), "paid", true, "id", 1));
    }

    @Test
    final void aPayloadMayBeNull() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> {
            String first = String.valueOf((Object) ctx.waitForEvent("a", String.class));
            return first + " " + ctx.waitForEvent("b", Json.class, PATIENCE).orElseThrow();
        });
        untilItWaits(run);
        perdure.signal(run.id(), "a", null);
        perdure.signal(run.id(), "b", null);

        assertThat(run.result(PATIENCE)).isEqualTo("null null");
    }

    @Test
    final void waitsInALoopTakeTheirOwnTurns() throws InterruptedException {
        Run<Integer> run = started(Integer.class, (ctx, _) -> {
            int sum = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                Match ours = Match.where("turn", turn).event("turn");
                sum = sum * 31
                        + ctx.waitForEvent("wait-" + turn, Json.class, ours)
                                .text()
                                .hashCode();
            }
            return sum;
        });
        untilItWaits(run);
        int expected = 0;
        for (int turn = TURNS - 1; turn >= 0; turn--) {
            perdure.signal(run.id(), "turn", Map.of("turn", turn));
        }
        for (int turn = 0; turn < TURNS; turn++) {
            expected = expected * 31 + ("{\"turn\":" + turn + "}").hashCode();
        }

        assertThat(run.result(PATIENCE)).isEqualTo(expected);
    }

    @Test
    final void theTimeAfterAWaitIsThatOfItsEvent() throws InterruptedException {
        Run<Instant> run = started(Instant.class, (ctx, _) -> {
            ctx.waitForEvent("paid", String.class);
            Instant then = ctx.now();
            // Replayed once more, so that both ways are seen.
            ctx.waitForEvent("sent", String.class);
            ctx.step("compare", () -> assertThat(then).isBeforeOrEqualTo(Instant.now()));
            return then;
        });
        untilItWaits(run);
        perdure.signal(run.id(), "paid", "");
        until(() -> events(run, Event.WaitStarted.class).size() == 2);
        perdure.signal(run.id(), "sent", "");

        Instant then = run.result(PATIENCE);
        assertThat(run.history())
                .filteredOn(recorded -> recorded.event() instanceof Event.EventReceived)
                .first()
                .extracting(Recorded::at)
                .isEqualTo(then);
    }

    @Test
    final void aRunThatWaitsCostsNoThreadAndSurvivesItsEngine() throws InterruptedException {
        Workflow<String, String> waiter = workflow(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        perdure.register(waiter).start();
        Run<String> run = perdure.start(waiter, "");
        untilItWaits(run);
        assertThat(perdure.working()).isZero();
        reopen(OpenOptions.defaults());
        perdure.register(waiter).start();
        assertThat(perdure.run(run.id()).status()).isEqualTo(RunStatus.RUNNING);
        perdure.signal(run.id(), "paid", "later");

        assertThat(perdure.run(waiter, run.id()).result(PATIENCE)).isEqualTo("later");
    }

    @Test
    final void aProcessThatDoesNotWorkSignalsOneThatDoes() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        untilItWaits(run);
        try (Engine other = another()) {
            other.signal(run.id(), "paid", "from there");

            assertThat(run.result(PATIENCE)).isEqualTo("from there");
        }
    }

    @Test
    final void aThousandRunsTakeExactlyTheirOwn() throws Exception {
        Workflow<String, String> waiter = serve(
                String.class,
                (ctx, own) -> ctx.waitForEvent("a", String.class) + ctx.waitForEvent("b", String.class) + own);
        Map<Integer, Run<String>> runs = new ConcurrentHashMap<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> senders = new ArrayList<>();
            for (int sender = 0; sender < SENDERS; sender++) {
                int first = sender;
                senders.add(pool.submit(() -> startAndSignal(waiter, runs, first)));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
        }
        for (int number = 0; number < CROWD; number++) {
            assertThat(Objects.requireNonNull(runs.get(number)).result(PATIENCE))
                    .isEqualTo("a%d b%d of %d".formatted(number, number, number));
        }
        until(() -> perdure.working() == 0);
    }

    /** Starts every so many runs, and signals each while the next ones begin. */
    private void startAndSignal(Workflow<String, String> waiter, Map<Integer, Run<String>> runs, int first) {
        for (int number = first; number < CROWD; number += SENDERS) {
            Run<String> run = perdure.start(waiter, " of " + number);
            runs.put(number, run);
            perdure.signal(run.id(), "b", "b" + number);
            perdure.signal(run.id(), "a", "a" + number + " ");
        }
    }
}
