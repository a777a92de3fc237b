package io.perdure.server.rest;

import io.perdure.core.Perdure;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.Words;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Changes a lease, or gives a message back or up. */
final class SettleRoutes {
    private static final String[] VERBS = {"extend", "retry", "reject", "release"};

    private SettleRoutes() {}

    static List<Operation> operations() {
        Operation settle = Operation.patch("/v1/messages/{receipt}", "settleMessage", SettleRoutes::settle)
                .doneOnceUnless(fields -> fields.has("extend"));
        return List.of(settle, settle.also(QueueRoutes.QUEUE + "/messages/{receipt}", "settleMessageOfQueue"));
    }

    private static void settle(Exchange exchange) {
        Receipt receipt = exchange.path("receipt", Receipt::parse);
        FieldReader fields = exchange.fields("extend", "retry", "error", "reject", "release");
        List<String> verbs = Stream.of(VERBS).filter(fields::has).toList();
        if (verbs.size() != 1) {
            throw InvalidValueException.ofField(
                    verbs.isEmpty() ? VERBS[0] : verbs.getLast(),
                    "must be there alone: exactly one of " + String.join(", ", VERBS) + ".");
        }
        String verb = verbs.getFirst();
        if (fields.has("error") && !verb.equals("retry")) {
            throw InvalidValueException.ofField("error", "goes with retry only.");
        }
        if (exchange.hasPath("name")) {
            QueueRoutes.queue(exchange);
        }
        exchange.answer(settled(exchange.engine(), receipt, verb, fields));
    }

    private static Json settled(Perdure engine, Receipt receipt, String verb, FieldReader fields) {
        return switch (verb) {
            case "extend" ->
                JsonObject.builder()
                        .put(
                                "leasedUntil",
                                engine.extend(receipt, fields.seconds(verb)).toString())
                        .build();
            case "retry" ->
                fate(engine.retry(
                        receipt, fields.seconds(verb), Objects.requireNonNullElse(fields.textOrNull("error"), "")));
            case "reject" -> fate(engine.reject(receipt, fields.text(verb)));
            default -> {
                if (!fields.flag(verb)) {
                    throw InvalidValueException.ofField(verb, "must be true.");
                }
                engine.release(receipt);
                yield fate(Fate.RELEASED);
            }
        };
    }

    private static Json fate(Fate fate) {
        return JsonObject.builder().put("fate", Words.of(fate)).build();
    }
}
