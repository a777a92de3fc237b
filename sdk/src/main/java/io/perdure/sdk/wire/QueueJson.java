package io.perdure.sdk.wire;

import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.SentMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Queues, and what is asked of them, as they travel. */
public final class QueueJson {
    /** The names of a queue's settings. */
    private static final String[] SETTINGS = {
        "visibility", "retries", "deadLetters", "retention", "deadLetterRetention", "maxDelay"
    };

    private QueueJson() {}

    public static Json write(QueueStatus queue) {
        return JsonObject.builder()
                .put("name", queue.name().value())
                .put("settings", write(queue.settings()))
                .put("figures", write(queue.figures()))
                .build();
    }

    public static QueueStatus status(Json json) {
        FieldReader read = FieldReader.of(json);
        return new QueueStatus(
                read.parsed("name", QueueName::new),
                settings(read.object("settings"), QueueSettings.defaults()),
                figures(read.object("figures")));
    }

    public static Json write(QueueSettings settings) {
        return JsonObject.builder()
                .put("visibility", Seconds.of(settings.visibility()))
                .put("retries", settings.retries())
                .put("deadLetters", settings.deadLetters())
                .put("retention", Seconds.of(settings.retention()))
                .put("deadLetterRetention", Seconds.of(settings.deadLetterRetention()))
                .put("maxDelay", Seconds.of(settings.maxDelay()))
                .build();
    }

    /** Reads settings, of which those that are absent stay as they are: a field that is not known is refused. */
    public static QueueSettings settings(Json json, QueueSettings before) {
        return settings(FieldReader.of(json).requireOnly(SETTINGS), before);
    }

    /**
     * A queue that is to be created, as it travels.
     *
     * @param settings those that are absent are the default ones
     */
    public record Creation(QueueName name, QueueSettings settings) {
        public Json write() {
            JsonObject.Builder json = JsonObject.builder().put("name", name.value());
            JsonObject written = JsonObject.parse(QueueJson.write(settings));
            written.names().forEach(setting -> json.put(setting, written.value(setting)));
            return json.build();
        }

        /** Reads what {@link #write} wrote: a field that is not known is refused. */
        public static Creation read(Json json) {
            String[] known =
                    Stream.concat(Stream.of("name"), Stream.of(SETTINGS)).toArray(String[]::new);
            FieldReader read = FieldReader.of(json).requireOnly(known);
            return new Creation(
                    read.parsed("name", QueueName::new), QueueJson.settings(read, QueueSettings.defaults()));
        }
    }

    private static QueueSettings settings(FieldReader read, QueueSettings before) {
        QueueSettings settings = before;
        settings = read.apply("visibility", settings, read.secondsOrNull("visibility"), QueueSettings::visibility);
        settings = read.apply("retries", settings, read.numberOrNull("retries"), QueueSettings::retries);
        settings = read.has("deadLetters") ? settings.deadLetters(read.flag("deadLetters")) : settings;
        settings = read.apply("retention", settings, read.secondsOrNull("retention"), QueueSettings::retention);
        settings = read.apply(
                "deadLetterRetention",
                settings,
                read.secondsOrNull("deadLetterRetention"),
                QueueSettings::deadLetterRetention);
        return read.apply("maxDelay", settings, read.secondsOrNull("maxDelay"), QueueSettings::maxDelay);
    }

    private static Json write(QueueFigures figures) {
        return JsonObject.builder()
                .put("depth", figures.depth())
                .put("ready", figures.ready())
                .put("delayed", figures.delayed())
                .put("leased", figures.leased())
                .put("oldest", Fields.text(figures.oldest()))
                .put("in", figures.in())
                .put("out", figures.out())
                .put("retried", figures.retried())
                .put("deadLettered", figures.deadLettered())
                .put("expired", figures.expired())
                .build();
    }

    private static QueueFigures figures(FieldReader read) {
        return new QueueFigures(
                read.integer("ready"),
                read.integer("delayed"),
                read.integer("leased"),
                read.timeOrNull("oldest"),
                read.integer("in"),
                read.integer("out"),
                read.integer("retried"),
                read.integer("deadLettered"),
                read.integer("expired"));
    }

    /** A message on its way into a queue. */
    public static Json write(Outgoing message) {
        return JsonObject.builder()
                .put("body", message.body())
                .put("delay", message.delay().isZero() ? null : Seconds.of(message.delay()))
                .put("group", Fields.text(message.group()))
                .put("deduplicationId", Fields.text(message.deduplicationId()))
                .put("headers", message.headers().isEmpty() ? null : RunJson.texts(message.headers()))
                .build();
    }

    /** Reads a message on its way into a queue: a field that is not known is refused. */
    public static Outgoing outgoing(Json json) {
        FieldReader read = FieldReader.of(json).requireOnly("body", "delay", "group", "deduplicationId", "headers");
        Outgoing message = Outgoing.of(read.valueOrNull("body"));
        message = read.apply("delay", message, read.secondsOrNull("delay"), Outgoing::delay);
        message = read.apply("group", message, read.textOrNull("group"), Outgoing::group);
        message = read.apply("deduplicationId", message, read.textOrNull("deduplicationId"), Outgoing::deduplicationId);
        for (Map.Entry<String, String> header : read.texts("headers").entrySet()) {
            message = message.header(header.getKey(), header.getValue());
        }
        return message;
    }

    /** What became of one message of a send. */
    public static Json write(SentMessage sent) {
        return JsonObject.builder()
                .put("id", sent.id().toString())
                .put("created", sent.created())
                .build();
    }

    public static SentMessage sent(Json json) {
        FieldReader read = FieldReader.of(json);
        return new SentMessage(read.parsed("id", MessageId::parse), read.flag("created"));
    }

    /** How to receive. */
    public static Json write(Receiving receiving) {
        return JsonObject.builder()
                .put("max", receiving.max())
                .put("wait", receiving.waiting().isZero() ? null : Seconds.of(receiving.waiting()))
                .put("visibility", Seconds.ofNullable(receiving.visibility()))
                .put("match", receiving.match())
                .build();
    }

    /** Reads how to receive: a field that is not known is refused. */
    public static Receiving receiving(Json json) {
        FieldReader read = FieldReader.of(json).requireOnly("max", "wait", "visibility", "match");
        Receiving receiving = Receiving.defaults();
        Integer max = read.numberOrNull("max");
        receiving = max == null ? receiving : read.taken("max", max, Receiving::upTo);
        receiving = read.apply("wait", receiving, read.secondsOrNull("wait"), Receiving::waiting);
        receiving = read.apply("visibility", receiving, read.secondsOrNull("visibility"), Receiving::visibility);
        return read.apply("match", receiving, read.value("match").orElse(null), Receiving::matching);
    }

    /** What became of so many leases that were to end at another time. */
    public static Json write(ExtendedLeases extended, int asked) {
        return JsonObject.builder()
                .put("extended", asked - extended.late().size())
                .put("leasedUntil", Fields.text(extended.until()))
                .put("late", texts(extended.late()))
                .build();
    }

    public static ExtendedLeases extended(Json json) {
        FieldReader read = FieldReader.of(json);
        return new ExtendedLeases(
                read.timeOrNull("leasedUntil"), read.list("late", text -> Receipt.parse(text.content())));
    }

    /** Ids or receipts, each as its text. */
    public static Json texts(Iterable<?> values) {
        List<Json> texts = new ArrayList<>();
        values.forEach(value -> texts.add(Json.string(value.toString())));
        return JsonArray.of(texts);
    }
}
