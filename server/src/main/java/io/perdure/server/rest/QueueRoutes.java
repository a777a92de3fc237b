package io.perdure.server.rest;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.wire.QueueJson;
import java.util.List;

/** Creates, shows, changes, empties and deletes queues. */
final class QueueRoutes {
    static final String QUEUES = "/v1/queues";
    static final String QUEUE = QUEUES + "/{name}";

    private static final int OK = 200;
    private static final int CREATED = 201;

    private QueueRoutes() {}

    static List<Operation> operations() {
        return List.of(
                Operation.post(QUEUES, "createQueue", QueueRoutes::create).doneOnce(),
                Operation.get(QUEUES, "listQueues", QueueRoutes::list).inTurns(),
                Operation.get(QUEUE, "getQueue", QueueRoutes::show),
                Operation.patch(QUEUE, "updateQueue", QueueRoutes::update).doneOnce(),
                Operation.delete(QUEUE, "deleteQueue", QueueRoutes::delete).doneOnce(),
                Operation.post(QUEUE + "/purge", "purgeQueue", QueueRoutes::purge)
                        .doneOnce());
    }

    /** The queue that the path names; {@code PD-401} where there is none. */
    static MessageQueue queue(Exchange exchange) {
        QueueName name = exchange.path("name", QueueName::new);
        return exchange.engine().queue(name.value());
    }

    private static void create(Exchange exchange) {
        QueueJson.Creation creation = QueueJson.Creation.read(exchange.body());
        Perdure engine = exchange.engine();
        boolean there = isThere(engine, creation.name());
        MessageQueue queue = engine.createQueue(creation.name().value(), creation.settings());
        exchange.answer(there ? OK : CREATED, QueueJson.write(exchange.afterwards(queue::status)));
    }

    private static boolean isThere(Perdure engine, QueueName name) {
        try {
            engine.queue(name.value());
            return true;
        } catch (PerdureException e) {
            if (e.code() == ErrorCode.NO_SUCH_QUEUE) {
                return false;
            }
            throw e;
        }
    }

    private static void list(Exchange exchange) {
        List<Json> queues =
                exchange.engine().queues().stream().map(QueueJson::write).toList();
        exchange.answer(JsonObject.builder().put("queues", JsonArray.of(queues)).build());
    }

    private static void show(Exchange exchange) {
        exchange.answer(QueueJson.write(queue(exchange).status()));
    }

    private static void update(Exchange exchange) {
        Json body = exchange.body();
        MessageQueue queue = queue(exchange);
        QueueSettings settings = QueueJson.settings(body, queue.settings());
        boolean changed = queue.update(settings);
        JsonObject status = JsonObject.parse(QueueJson.write(exchange.afterwards(queue::status)));
        JsonObject.Builder answer = JsonObject.builder();
        status.names().forEach(name -> answer.put(name, status.value(name)));
        exchange.answer(answer.put("changed", changed).build());
    }

    private static void delete(Exchange exchange) {
        queue(exchange).delete();
        exchange.answerDone();
    }

    private static void purge(Exchange exchange) {
        exchange.requireNoFields();
        exchange.answer(
                JsonObject.builder().put("purged", queue(exchange).purge()).build());
    }
}
