package io.perdure.server.rest;

import io.perdure.core.store.MailboxPage;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.HistoryPart;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StepInfo;
import io.perdure.sdk.run.StepReader;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.wire.RunJson;
import io.perdure.sdk.worker.Mailbox;
import java.util.List;
import java.util.Optional;

/** Shows a run, its steps and its mailbox, and sends it signals. */
final class RunRoutes {
    private static final String RUN = Runs.ANY + "/{id}";
    private static final int MOST = Limits.defaults().rest().pageMax();
    private static final int PAGE_BYTES = Limits.defaults().rest().pageBytes();

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
        Run<Json> run = Runs.run(exchange);
        StepReader steps = new StepReader(from, limit, PAGE_BYTES);
        HistoryPart part = run.part(0);
        while (!part.events().isEmpty()) {
            part.events().forEach(steps::add);
            part = part.isLast() ? new HistoryPart(List.of(), 0) : run.part(part.next());
        }
        Filling page = new Filling();
        List<StepInfo> found = steps.steps();
        int shown = 0;
        while (shown < found.size() && page.add(RunJson.write(found.get(shown)))) {
            shown++;
        }
        boolean more = shown < found.size() || steps.hasMore();
        exchange.answer(JsonObject.builder()
                .put("steps", page.array())
                .put("next", more ? Json.number(from + shown) : null)
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
        MailboxPage mailbox = exchange.engine().mailbox(Runs.id(exchange), from, PAGE_BYTES);
        Filling page = new Filling();
        Json next = mailbox.more() ? Json.number(mailbox.entries().getLast().number() + 1) : null;
        for (MailboxEntry entry : mailbox.entries()) {
            if (page.size() == limit || !page.add(ClaimJson.write(letter(entry)))) {
                next = Json.number(entry.number());
                break;
            }
        }
        exchange.answer(JsonObject.builder()
                .put("wakes", mailbox.wakes())
                .put("letters", page.array())
                .put("next", next)
                .build());
    }

    private static Mailbox.Letter letter(MailboxEntry entry) {
        return new Mailbox.Letter(entry.number(), entry.event(), entry.payload(), entry.at());
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
