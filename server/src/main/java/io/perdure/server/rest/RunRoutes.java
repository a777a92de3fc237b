package io.perdure.server.rest;

import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.wire.RunJson;
import io.perdure.sdk.worker.Mailbox;
import java.util.List;
import java.util.Optional;

/** Shows a run, its steps and its mailbox, and sends it signals. */
final class RunRoutes {
    private static final String RUN = Runs.ANY + "/{id}";

    private RunRoutes() {}

    static List<Operation> operations() {
        return Runs.both(
                Operation.get(RUN, "getRun", RunRoutes::run),
                Operation.get(RUN + "/steps", "listSteps", RunRoutes::steps),
                Operation.get(RUN + "/mailbox", "getMailbox", RunRoutes::mailbox),
                Operation.post(RUN + "/signals/{event}", "signalRun", RunRoutes::signal)
                        .query("deduplicationId"));
    }

    private static void run(Exchange exchange) {
        exchange.answer(RunJson.write(Runs.run(exchange).info()));
    }

    private static void steps(Exchange exchange) {
        List<Json> steps =
                Runs.run(exchange).steps().stream().map(RunJson::write).toList();
        exchange.answer(JsonObject.builder().put("steps", JsonArray.of(steps)).build());
    }

    private static void mailbox(Exchange exchange) {
        Mailbox mailbox = exchange.engine().mailbox(Runs.id(exchange));
        List<Json> letters = mailbox.letters().stream()
                .map(letter -> JsonObject.builder()
                        .put("number", letter.number())
                        .put("event", letter.event().value())
                        .put("payload", letter.payload())
                        .put("at", letter.at().toString())
                        .build())
                .toList();
        exchange.answer(JsonObject.builder()
                .put("wakes", mailbox.wakes())
                .put("letters", JsonArray.of(letters))
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
