package io.perdure.server.rest;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RestLimits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.WhenParked;
import io.perdure.sdk.wire.HistoryJson;
import io.perdure.sdk.wire.Words;
import io.perdure.server.http.UnderWay;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Waits for what happens to a run: its result, and its history as it grows. */
final class RunWaitRoutes {
    private static final String RUN = Runs.ANY + "/{id}";
    private static final RestLimits LIMITS = Limits.defaults().rest();
    private static final int OK = 200;
    private static final int ACCEPTED = 202;

    /** How a wait for a result ends when there is none, or none that is a value. */
    private static final Set<ErrorCode> ENDS =
            Set.of(ErrorCode.NO_RESULT_YET, ErrorCode.RUN_PARKED, ErrorCode.RUN_FAILED, ErrorCode.RUN_CANCELLED);

    private RunWaitRoutes() {}

    static List<Operation> operations() {
        return Runs.both(
                Operation.get(RUN + "/result", "getResult", RunWaitRoutes::result)
                        .query("wait", "parked"),
                Operation.get(RUN + "/history", "getHistory", RunWaitRoutes::history)
                        .query("from", "limit", "wait"));
    }

    private static void result(Exchange exchange) {
        Duration wait = exchange.query().seconds("wait", LIMITS.resultWaitMax());
        WhenParked whenParked = exchange.query()
                .parsed("parked", word -> Words.parse(WhenParked.class, word))
                .orElse(WhenParked.STOP);
        Run<Json> run = Runs.run(exchange);
        if (!wait.isZero()) {
            await(exchange, wait, run, whenParked);
        }
        RunInfo info = run.info();
        exchange.answer(
                info.status().isTerminal() ? OK : ACCEPTED,
                JsonObject.builder()
                        .put("runId", info.id().toString())
                        .put("status", info.status().word())
                        .put("output", info.status() == RunStatus.COMPLETED ? info.output() : null)
                        .put("error", info.error() == null ? null : info.error().json())
                        .build());
    }

    private static void await(Exchange exchange, Duration wait, Run<Json> run, WhenParked whenParked) {
        exchange.await(wait, atMost -> {
            try {
                return switch (whenParked) {
                    case STOP -> run.result(atMost);
                    case WAIT -> run.resultAcrossParking(atMost);
                };
            } catch (PerdureException e) {
                if (ENDS.contains(e.code())) {
                    // How it stands is read afterwards.
                    return Json.NULL;
                }
                throw e;
            }
        });
    }

    private static void history(Exchange exchange) {
        long from = exchange.query().number("from", 0, Long.MAX_VALUE / 2, 0);
        int limit = (int) exchange.query().number("limit", 1, LIMITS.pageMax(), LIMITS.pageMax());
        Duration wait = exchange.query().seconds("wait", LIMITS.historyWaitMax());
        Run<Json> run = Runs.run(exchange);
        Perdure engine = exchange.engine();
        // The status first: an event that comes between the two reads is then told of now or asked for again.
        RunStatus status = run.status();
        Events events = events(engine, run, from, limit);
        if (events.page().size() > 0 || status.isTerminal() || wait.isZero()) {
            answer(exchange, status, events);
            return;
        }
        await(exchange, wait, run, from);
        // Its first turn was left for the wait: what has come meanwhile may be long, too.
        try (UnderWay.Place _ = exchange.site().pages().enter(exchange.tenant())) {
            status = run.status();
            answer(exchange, status, events(engine, run, from, limit));
        }
    }

    private static void answer(Exchange exchange, RunStatus status, Events events) {
        exchange.answer(JsonObject.builder()
                .put("events", events.page().array())
                .put("status", status.word())
                .put("next", events.next())
                .put("more", events.more() ? Json.bool(true) : null)
                .build());
    }

    /**
     * Some of a history.
     *
     * @param next the number of the event to ask for next
     * @param more whether that event is there already and did not fit
     */
    private record Events(Filling page, long next, boolean more) {}

    private static Events events(Perdure engine, Run<Json> run, long from, int limit) {
        Filling page = new Filling();
        long next = from;
        while (page.size() < limit) {
            int asked = Math.min(limit - page.size(), Filling.LOOK);
            List<Recorded> some = engine.history(run.id(), next, asked);
            for (Recorded event : some) {
                if (!page.add(HistoryJson.write(event))) {
                    return new Events(page, next, true);
                }
                next = event.seq() + 1;
            }
            // A page that is short may have ended where its events are large.
            if (some.isEmpty() || (some.size() < asked && endsRun(some.getLast().event()))) {
                break;
            }
        }
        return new Events(page, next, false);
    }

    private static boolean endsRun(Event event) {
        return event instanceof Event.RunCompleted || event instanceof Event.RunCancelled;
    }

    private static void await(Exchange exchange, Duration wait, Run<Json> run, long from) {
        exchange.await(wait, atMost -> {
            try (Following following = run.follow(from)) {
                return following.next(atMost).size();
            }
        });
    }
}
