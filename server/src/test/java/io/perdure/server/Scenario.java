package io.perdure.server;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.Asking.Request;
import io.perdure.server.Document.Described;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** For each operation, what has to be there for it, and the request that the document's example makes of it then. */
final class Scenario {
    private final Served served;

    Scenario(Served served) {
        this.served = served;
    }

    /** What stands for the names in braces, and the body. */
    private record Prepared(
            Map<String, String> path, @Nullable String body) {}

    /** A request that has to be answered well. */
    Request good(Described operation) {
        Prepared prepared = prepared(operation);
        Request request = new Request(operation.method(), filled(operation.path(), prepared.path()), prepared.body());
        for (JsonNode header : operation.parameters("header")) {
            if (header.path("required").asBoolean(false)) {
                request = request.with(
                        header.path("name").asString(), header.path("example").asString());
            }
        }
        return request;
    }

    /** The same where that changes something: one whose example only looks is asked for in earnest. */
    Request changing(Described operation) {
        Request good = good(operation);
        return plain(operation).equals("changeRuns") ? good.body("{\"action\":\"cancel\"}") : good;
    }

    /** A request under an id that something else was asked for by. */
    Request reusing(Described operation) {
        UUID id = UUID.randomUUID();
        var requests = served.engine().requests();
        requests.note(requests.draft(id, "0".repeat(64)));
        return changing(operation).with("Perdure-Request", id.toString());
    }

    static String filled(String path, Map<String, String> parts) {
        String filled = path;
        for (Map.Entry<String, String> part : parts.entrySet()) {
            filled = filled.replace("{" + part.getKey() + "}", part.getValue());
        }
        return filled;
    }

    /** The id without what tells the paths under a workflow or a queue from the others. */
    static String plain(Described operation) {
        return operation.id().replaceAll("Of(Workflow|Queue)$", "");
    }

    private Prepared prepared(Described operation) {
        String body = operation.hasBody() ? operation.example() : null;
        if (operation.path().startsWith("/v1/queues/")) {
            return ofQueue(operation, body);
        }
        return switch (plain(operation)) {
            case "ackMessages" -> new Prepared(Map.of(), receipts(served.delivery(served.queue())));
            case "extendMessages" -> new Prepared(Map.of(), extension(served.delivery(served.queue())));
            case "settleMessage" -> settle(served.queue(), body);
            case "revokeKey" ->
                new Prepared(
                        Map.of(
                                "id",
                                served.engine()
                                        .keys()
                                        .create(TenantId.DEFAULT, "spare", Role.CLIENT, null)
                                        .key()
                                        .id()
                                        .value()),
                        body);
            case "redriveRun" -> ofRun("failing", served.restingRun("failing"), body);
            case "resumeRun" -> ofRun("parking", served.restingRun("parking"), body);
            default ->
                operation.path().contains("{id}")
                        ? ofRun("order", served.idleRun(), body)
                        : new Prepared(Map.of("name", "order"), body);
        };
    }

    private static Prepared ofRun(String workflow, RunId run, @Nullable String body) {
        return new Prepared(Map.of("name", workflow, "id", run.toString(), "event", "paid"), body);
    }

    private Prepared ofQueue(Described operation, @Nullable String body) {
        String queue = operation.id().equals("deleteQueue") ? served.queue() : served.filledQueue();
        return switch (plain(operation)) {
            case "ackMessages" -> new Prepared(Map.of("name", queue), receipts(served.delivery(queue)));
            case "extendMessages" -> new Prepared(Map.of("name", queue), extension(served.delivery(queue)));
            case "settleMessage" -> settle(queue, body);
            case "redriveDeadLetters", "countDeadLetters" -> {
                deadLetter(queue);
                yield new Prepared(Map.of("name", queue), body);
            }
            case "discardDeadLetters" ->
                new Prepared(Map.of("name", queue), "{\"messages\":[\"" + deadLetter(queue) + "\"]}");
            default -> new Prepared(Map.of("name", queue), body);
        };
    }

    private MessageId deadLetter(String queue) {
        Delivery delivery = served.delivery(queue);
        delivery.reject("as it should");
        return delivery.id();
    }

    private static String receipts(Delivery delivery) {
        return "{\"receipts\":[\"" + delivery.receipt() + "\"]}";
    }

    private static String extension(Delivery delivery) {
        return "{\"receipts\":[\"" + delivery.receipt() + "\"],\"visibility\":60}";
    }

    private Prepared settle(String queue, @Nullable String body) {
        Map<String, String> path = new HashMap<>(Map.of("name", queue));
        path.put("receipt", served.delivery(queue).receipt().toString());
        return new Prepared(path, body);
    }

    /** A request that meets something that does not allow it: each answered with 409. */
    Request conflicting(Described operation) {
        Request good = good(operation);
        Map<String, String> idle =
                Map.of("name", "order", "id", served.idleRun().toString());
        return switch (plain(operation)) {
            case "startRun" -> {
                served.engine()
                        .start("order", Json.of("1"), StartOptions.defaults().idempotencyKey("once"));
                yield good.body("{\"input\":2,\"idempotencyKey\":\"once\"}");
            }
            case "cancelRun", "signalRun" ->
                good.path(filled(
                        operation.path(),
                        Map.of(
                                "name",
                                "completing",
                                "event",
                                "paid",
                                "id",
                                served.restingRun("completing").toString())));
            case "redriveRun", "resumeRun" -> good.path(filled(operation.path(), idle));
            case "moveRun" -> good.body("{\"version\":2,\"last\":7}");
            case "createQueue" -> good.body("{\"name\":\"" + served.queue() + "\",\"retries\":9}");
            case "deleteQueue" -> good.path("/v1/queues/" + served.filledQueue());
            case "settleMessage" -> {
                Delivery delivery = served.delivery(served.queue());
                delivery.ack();
                yield good.path(filled(
                        operation.path(),
                        Map.of(
                                "name",
                                delivery.info().queue().value(),
                                "receipt",
                                delivery.receipt().toString())));
            }
            default -> throw new IllegalStateException("Nothing is known that " + operation.id() + " conflicts with.");
        };
    }
}
