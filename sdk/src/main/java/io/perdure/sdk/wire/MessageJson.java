package io.perdure.sdk.wire;

import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageInfo;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueuedMessage;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages that were received or looked at, as they travel. */
public final class MessageJson {
    private MessageJson() {}

    /** A page of messages that were looked at. */
    public static Json write(MessagePage page) {
        return JsonObject.builder()
                .put(
                        "messages",
                        JsonArray.of(
                                page.messages().stream().map(MessageJson::write).toList()))
                .put("next", page.next())
                .build();
    }

    public static MessagePage page(Json json) {
        FieldReader read = FieldReader.of(json);
        return new MessagePage(read.list("messages", MessageJson::queued), read.textOrNull("next"));
    }

    private static Json write(QueuedMessage message) {
        return put(message.info(), JsonObject.builder())
                .put("state", Words.of(message.state()))
                .put("readyAt", message.readyAt())
                .build();
    }

    private static QueuedMessage queued(Json json) {
        FieldReader read = FieldReader.of(json);
        return new QueuedMessage(
                info(read, "readyAt"), read.parsed("state", word -> Words.parse(QueuedMessage.State.class, word)));
    }

    private static Json write(Delivery delivery) {
        return put(
                        delivery.info(),
                        JsonObject.builder().put("receipt", delivery.receipt().toString()))
                .put("leasedUntil", delivery.leasedUntil())
                .build();
    }

    private static Delivery delivery(MessageQueue queue, Json json) {
        FieldReader read = FieldReader.of(json);
        return new Delivery(queue, read.parsed("receipt", Receipt::parse), info(read, "leasedUntil"));
    }

    /** What a receive brought. */
    public static Json write(Arrivals arrivals) {
        return JsonObject.builder()
                .put(
                        "messages",
                        JsonArray.of(arrivals.deliveries().stream()
                                .map(MessageJson::write)
                                .toList()))
                .put("waited", arrivals.deliveries().isEmpty() ? null : Seconds.of(arrivals.waited()))
                .build();
    }

    /** What a receive from this queue brought. */
    public static Arrivals arrivals(MessageQueue queue, Json json) {
        FieldReader read = FieldReader.of(json);
        return new Arrivals(
                read.list("messages", message -> delivery(queue, message)),
                Objects.requireNonNullElse(read.secondsOrNull("waited"), Duration.ZERO));
    }

    private static JsonObject.Builder put(MessageInfo message, JsonObject.Builder json) {
        return json.put("id", message.id().toString())
                .put("queue", message.queue().value())
                .put("body", message.body())
                .put("headers", message.headers().isEmpty() ? null : RunJson.texts(message.headers()))
                .put("group", Fields.text(message.group()))
                .put("sentAt", message.sentAt())
                .put("expiresAt", message.expiresAt())
                .put("attempts", message.deliveries())
                .put("earlierAttempts", message.earlierDeliveries())
                .put("firstDelivered", message.firstDelivered())
                .put("lastDelivered", message.lastDelivered())
                .put("lastError", message.lastError())
                .put("deadLetter", deadLetter(message.deadLetter()));
    }

    private static MessageInfo info(FieldReader read, String readyAt) {
        return new MessageInfo(
                read.parsed("id", MessageId::parse),
                read.parsed("queue", QueueName::new),
                read.valueOrNull("body"),
                read.texts("headers"),
                read.parsedOrNull("group", GroupKey::new),
                read.time("sentAt"),
                read.time(readyAt),
                read.time("expiresAt"),
                read.number("attempts"),
                read.number("earlierAttempts"),
                read.timeOrNull("firstDelivered"),
                read.timeOrNull("lastDelivered"),
                read.textOrNull("lastError"),
                read.has("deadLetter") ? deadLetter(read.object("deadLetter")) : null);
    }

    private static @Nullable Json deadLetter(@Nullable DeadLetter letter) {
        return letter == null
                ? null
                : JsonObject.builder()
                        .put("origin", letter.origin().value())
                        .put("reason", Words.of(letter.reason()))
                        .put("at", letter.at())
                        .put("attempts", letter.deliveries())
                        .build();
    }

    private static DeadLetter deadLetter(FieldReader read) {
        return new DeadLetter(
                read.parsed("origin", QueueName::new),
                read.parsed("reason", word -> Words.parse(DeadLetter.Reason.class, word)),
                read.time("at"),
                read.number("attempts"));
    }
}
