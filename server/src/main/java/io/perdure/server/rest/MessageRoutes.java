package io.perdure.server.rest;

import io.perdure.core.Perdure;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RestLimits;
import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueBounds;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.MessageJson;
import io.perdure.sdk.wire.QueueJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Sends messages, receives them, and hears what became of them. */
final class MessageRoutes {
    private static final System.Logger LOG = Logs.of(MessageRoutes.class);

    static final int MOST_NAMED = Limits.defaults().rest().named();

    private static final String MESSAGES = QueueRoutes.QUEUE + "/messages";
    private static final RestLimits LIMITS = Limits.defaults().rest();
    private static final int CREATED = 201;

    /** With more than these, the longest messages there can be might not fit behind them. */
    private static final long LOOKS_UNTIL_BYTES = LIMITS.pageBytes()
            - (long) Filling.LOOK * Limits.defaults().queues().messageBytes();

    private MessageRoutes() {}

    static List<Operation> operations() {
        Operation ack = Operation.post("/v1/acks", "ackMessages", MessageRoutes::ack);
        Operation extend = Operation.post("/v1/extensions", "extendMessages", MessageRoutes::extend);
        Receives receives = new Receives();
        return List.of(
                Operation.post(MESSAGES, "sendMessages", MessageRoutes::send),
                Operation.get(MESSAGES, "listMessages", MessageRoutes::list).query("limit", "cursor"),
                // A consumer's receives follow each other without end: their ids only name what can be ended.
                Operation.post(
                                QueueRoutes.QUEUE + "/receive",
                                "receiveMessages",
                                exchange -> receive(exchange, receives))
                        .notedIf(exchange -> exchange.consumerId().isEmpty()),
                Operation.post(
                        QueueRoutes.QUEUE + "/receive/end", "endReceive", exchange -> endReceive(exchange, receives)),
                ack,
                ack.also(QueueRoutes.QUEUE + "/acks", "ackMessagesOfQueue"),
                extend,
                extend.also(QueueRoutes.QUEUE + "/extensions", "extendMessagesOfQueue"));
    }

    private static void send(Exchange exchange) {
        Optional<UUID> request = exchange.requestId();
        Json body = exchange.body();
        boolean many = body.text().startsWith("[");
        List<Json> given = many ? JsonArray.parse(body) : List.of(body);
        if (given.isEmpty()) {
            throw InvalidValueException.ofField("messages", "are missing: the array is empty.");
        }
        List<Outgoing> asked = new ArrayList<>();
        for (Json message : given) {
            asked.add(outgoing(message, many ? "[" + asked.size() + "]." : ""));
        }
        List<Outgoing> messages = new ArrayList<>();
        for (Outgoing message : asked) {
            messages.add(
                    request.isPresent() && message.deduplicationId() == null
                            ? message.deduplicationId("rq-" + request.get() + "-" + messages.size())
                            : message);
        }
        List<SentMessage> sent = QueueRoutes.queue(exchange).sendAll(messages);
        List<Json> answers = new ArrayList<>();
        for (SentMessage message : sent) {
            // One that only the request's own id keeps from being added twice was added by this request.
            boolean ours = request.isPresent() && asked.get(answers.size()).deduplicationId() == null;
            answers.add(QueueJson.write(new SentMessage(message.id(), ours || message.created())));
        }
        exchange.answer(
                CREATED,
                many
                        ? JsonObject.builder()
                                .put("messages", JsonArray.of(answers))
                                .build()
                        : answers.getFirst());
    }

    private static Outgoing outgoing(Json message, String place) {
        try {
            return QueueJson.outgoing(message);
        } catch (InvalidValueException e) {
            throw place.isEmpty() ? e : e.in(place + e.field().orElse(""));
        }
    }

    private static void list(Exchange exchange) {
        exchange.answer(MessageJson.write(page(exchange, QueueRoutes.queue(exchange))));
    }

    /** The page of a queue's messages that a request asks for; a shorter one where they are long. */
    static MessagePage page(Exchange exchange, MessageQueue queue) {
        int limit = (int) exchange.query().number("limit", 1, LIMITS.pageMax(), LIMITS.pageDefault());
        MessagePage look = exchange.query()
                .parsed("cursor", cursor -> queue.messages(Math.min(limit, Filling.LOOK), cursor))
                .orElseGet(() -> queue.messages(Math.min(limit, Filling.LOOK)));
        List<QueuedMessage> messages = new ArrayList<>(look.messages());
        long bytes = bytes(look);
        while (look.next() != null && messages.size() < limit && bytes <= LOOKS_UNTIL_BYTES) {
            look = queue.messages(Math.min(limit - messages.size(), Filling.LOOK), look.next());
            messages.addAll(look.messages());
            bytes += bytes(look);
        }
        return new MessagePage(messages, look.next());
    }

    private static long bytes(MessagePage look) {
        return look.messages().stream()
                .mapToLong(message -> message.body().bytes()
                        + message.headers().values().stream()
                                .mapToLong(header -> Json.string(header).bytes())
                                .sum())
                .sum();
    }

    private static void receive(Exchange exchange, Receives receives) {
        UUID request = exchange.requestId().orElse(null);
        UUID consumer = exchange.consumerId().orElse(null);
        Receiving receiving = exchange.bodyIfAny().map(QueueJson::receiving).orElseGet(Receiving::defaults);
        QueueName queue = exchange.path("name", QueueName::new);
        // Asked for in any case: a queue that is gone is to be seen also by who has been here before.
        QueueBackend fresh = exchange.engine().backend(queue);
        Receives.Asker asker = new Receives.Asker(
                exchange.tenant(),
                request,
                consumer == null ? null : new Searches.Searcher(exchange.tenant(), queue, consumer));
        Arrivals arrivals = exchange.await(
                receiving.waiting(),
                atMost -> receives.receive(asker, receiving.waiting(atMost), fresh),
                unheard -> giveBack(exchange, unheard));
        exchange.answer(MessageJson.write(arrivals));
    }

    /** Gives back what came for a caller that has hung up: it is ready again at once, and that delivery does not count. */
    private static Arrivals giveBack(Exchange exchange, Arrivals unheard) {
        List<Boolean> givenBack = exchange.site().atOnce().each(unheard.deliveries(), MessageRoutes::isGivenBack);
        LOG.log(
                System.Logger.Level.DEBUG,
                "A receiver has hung up; of {0} messages that came for it {1} are given back.",
                givenBack.size(),
                Collections.frequency(givenBack, true));
        return Arrivals.NONE;
    }

    private static boolean isGivenBack(Delivery delivery) {
        try {
            delivery.release();
            return true;
        } catch (PerdureException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    () -> "Message %s, whose receiver has hung up, comes back when its lease ends."
                            .formatted(delivery.id()),
                    e);
            return false;
        }
    }

    private static void endReceive(Exchange exchange, Receives receives) {
        UUID request = exchange.fields("request").parsed("request", Exchange::uuid);
        QueueRoutes.queue(exchange);
        exchange.answer(JsonObject.builder()
                .put("ended", receives.end(exchange.tenant(), request))
                .build());
    }

    private static void ack(Exchange exchange) {
        List<Receipt> receipts =
                named(exchange.fields("receipts"), "receipts", element -> Receipt.parse(element.content()));
        if (exchange.hasPath("name")) {
            QueueRoutes.queue(exchange);
        }
        Perdure engine = exchange.engine();
        List<Receipt> late = exchange.isSentAgain() ? engine.ackAgain(receipts) : engine.ackAll(receipts);
        exchange.answer(JsonObject.builder()
                .put("acked", receipts.size() - late.size())
                .put("late", QueueJson.texts(late))
                .build());
    }

    private static void extend(Exchange exchange) {
        FieldReader fields = exchange.fields("receipts", "visibility");
        List<Receipt> receipts = named(fields, "receipts", element -> Receipt.parse(element.content()));
        Duration visibility = fields.taken("visibility", fields.seconds("visibility"), MessageRoutes::lease);
        if (exchange.hasPath("name")) {
            QueueRoutes.queue(exchange);
        }
        ExtendedLeases extended = exchange.engine().extendAll(receipts, visibility);
        exchange.answer(QueueJson.write(extended, receipts.size()));
    }

    private static Duration lease(Duration length) {
        QueueBounds.lease(length);
        return length;
    }

    /** What a field names, within bounds. */
    static <T> List<T> named(FieldReader fields, String name, Function<Json, T> parse) {
        List<T> named = fields.list(name, parse);
        if (named.size() > MOST_NAMED) {
            throw InvalidValueException.ofField(
                    name, "has " + named.size() + " elements; at most " + MOST_NAMED + " are taken.");
        }
        return named;
    }
}
