package io.perdure.server.rest;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Discarded;
import io.perdure.sdk.queue.Redriven;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.MessageJson;
import io.perdure.sdk.wire.QueueJson;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Shows the messages that a queue has given up, redrives or discards them. */
final class DeadLetterRoutes {
    private static final String LETTERS = QueueRoutes.QUEUE + "/dlq";

    private DeadLetterRoutes() {}

    static List<Operation> operations() {
        return List.of(
                Operation.get(LETTERS, "listDeadLetters", DeadLetterRoutes::list)
                        .query("limit", "cursor"),
                Operation.post(LETTERS + "/redrive", "redriveDeadLetters", DeadLetterRoutes::redrive)
                        .doneOnce(),
                Operation.post(LETTERS + "/discard", "discardDeadLetters", DeadLetterRoutes::discard)
                        .doneOnce(),
                Operation.post(LETTERS + "/count", "countDeadLetters", DeadLetterRoutes::count));
    }

    private static void list(Exchange exchange) {
        DeadLetters letters = QueueRoutes.queue(exchange).deadLetters();
        exchange.answer(MessageJson.write(MessageRoutes.page(exchange, letters.queue())));
    }

    private static void redrive(Exchange exchange) {
        FieldReader fields = exchange.fields("messages", "all", "match");
        boolean all = wantsAll(fields);
        DeadLetters letters = QueueRoutes.queue(exchange).deadLetters();
        if (!all) {
            Redriven redriven = letters.redrive(messages(fields));
            exchange.answer(answer(redriven.count(), redriven.missing()));
            return;
        }
        Optional<Json> match = fields.value("match");
        Progress.answer(exchange, told -> {
            LongConsumer progress = count ->
                    told.accept(JsonObject.builder().put("count", count).build());
            long count = match.isPresent() ? letters.redriveAll(match.get(), progress) : letters.redriveAll(progress);
            return answer(count, List.of());
        });
    }

    private static void discard(Exchange exchange) {
        FieldReader fields = exchange.fields("messages", "all");
        boolean all = wantsAll(fields);
        DeadLetters letters = QueueRoutes.queue(exchange).deadLetters();
        if (all) {
            exchange.answer(answer(letters.discardAll(), List.of()));
        } else {
            Discarded discarded = letters.discard(messages(fields));
            exchange.answer(answer(discarded.count(), discarded.missing()));
        }
    }

    private static void count(Exchange exchange) {
        Optional<Json> match = exchange.fields("match").value("match");
        DeadLetters letters = QueueRoutes.queue(exchange).deadLetters();
        long count = match.isPresent() ? letters.count(match.get()) : letters.count();
        exchange.answer(JsonObject.builder().put("count", count).build());
    }

    private static boolean wantsAll(FieldReader fields) {
        boolean all = fields.flag("all");
        if (all == fields.has("messages")) {
            throw InvalidValueException.ofField("messages", "must be there, or \"all\": true, and not both.");
        }
        if (!all && fields.has("match")) {
            throw InvalidValueException.ofField("match", "goes with all only.");
        }
        return all;
    }

    private static List<MessageId> messages(FieldReader fields) {
        return MessageRoutes.named(fields, "messages", element -> MessageId.parse(element.content()));
    }

    private static Json answer(long count, List<MessageId> missing) {
        return JsonObject.builder()
                .put("count", count)
                .put("missing", QueueJson.texts(missing))
                .build();
    }
}
