package io.perdure.server.rest;

import io.perdure.sdk.Limits;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.StepInfo;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.wire.RunJson;
import io.perdure.sdk.worker.Mailbox;
import java.util.List;
import java.util.Optional;

/** Shows a run, its steps and its mailbox, and sends it signals. */
final class RunRoutes {
    private static final String RUN = Runs.ANY + "/{id}";
    private static final int MOST = Limits.defaults().rest().pageMax();

    private RunRoutes() {}

    static List<Operation> operations() {
        return Runs.both(
                Operation.get(RUN, "getRun", RunRoutes::run),
                Operation.get(RUN + "/steps", "listSteps", RunRoutes::steps).query("from", "limit"),
                Operation.get(RUN + "/mailbox", "getMailbox", RunRoutes::mailbox)
                        .query("from", "limit"),
                Operation.post(RUN + "/signals/{event}", "signalRun", RunRoutes::signal)
                        .query("deduplicationId"));
    }

    private static void run(Exchange exchange) {
        exchange.answer(RunJson.write(Runs.run(exchange).info()));
    }

    private static void steps(Exchange exchange) {
        long from = from(exchange);
        int limit = limit(exchange);
        List<StepInfo> steps = Runs.run(exchange).steps();
        Filling page = new Filling();
        int next = (int) Math.min(from, steps.size());
        while (next < steps.size() && page.size() < limit && page.add(RunJson.write(steps.get(next)))) {
            next++;
        }
        exchange.answer(JsonObject.builder()
                .put("steps", page.array())
                .put("next", next < steps.size() ? Json.number(next) : null)
                .build());
    }

    private static long from(Exchange exchange) {
        return exchange.query().number("from", 0, Long.MAX_VALUE / 2, 0);
    }

    private static int limit(Exchange exchange) {
        return (int) exchange.query().number("limit", 1, MOST, MOST);
    }

    private static void mailbox(Exchange exchange) {
        long from = from(exchange);
        int limit = limit(exchange);
        Mailbox mailbox = exchange.engine().mailbox(Runs.id(exchange));
        Filling page = new Filling();
        Json next = null;
        for (Mailbox.Letter letter : mailbox.letters()) {
            if (letter.number() >= from && (page.size() == limit || !page.add(ClaimJson.write(letter)))) {
                next = Json.number(letter.number());
                break;
            }
        }
        exchange.answer(JsonObject.builder()
                .put("wakes", mailbox.wakes())
                .put("letters", page.array())
                .put("next", next)
                .build());
    }

    private static void signal(Exchange exchange) {
        EventName event = exchange.path("event", EventName::new);
        Optional<String> deduplicationId = exchange.query()
                .text("deduplicationId")
                .or(() -> exchange.requestId().map(id -> "rq-" + id));
        Json payload = exchange.bodyIfAny().orElse(Json.NULL).requireDepth();
        RunId run = Runs.id(exchange);
        boolean created = deduplicationId.isPresent()
                ? exchange.engine().signal(run, event.value(), payload, deduplicationId.get())
                : exchange.engine().signal(run, event.value(), payload);
        // One that only the request's own id keeps from being added twice was added by this request.
        boolean ours = exchange.query().text("deduplicationId").isEmpty();
        exchange.answer(JsonObject.builder().put("created", created || ours).build());
    }
}
