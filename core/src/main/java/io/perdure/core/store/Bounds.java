package io.perdure.core.store;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Holds commits to {@link Limits} when they are made: what is too large never travels to a store. */
final class Bounds {
    private static final Limits LIMITS = Limits.defaults();
    private static final Limits.Queues QUEUES = LIMITS.queues();

    private Bounds() {}

    static void value(Json value, String what) {
        value.within(LIMITS.values().inlineBytes(), what);
    }

    static void values(Map<String, Json> values) {
        values.forEach((name, value) -> value(value, "Scratchpad value \"%s\"".formatted(name)));
    }

    static void event(Event event) {
        switch (event) {
            case Event.StepCompleted(var step, var _, var output, var writes, var _, var _) -> {
                if (output != null) {
                    value(output, "The output of step \"%s\"".formatted(step));
                }
                values(writes);
            }
            case Event.WaitStarted(var name, var _, Json match) when match != null ->
                value(match, "The match of wait \"%s\"".formatted(name));
            case Event.RunCompleted(Json result) -> value(result, "The run's result");
            // What the others carry is bounded by its own type, or was bounded when it came.
            default -> {}
        }
    }

    static void tags(Map<String, String> tags) {
        atMost("tags", tags.size(), LIMITS.runs().tags());
        tags.forEach((name, value) -> {
            bytes("Tag name", utf8(name), LIMITS.names().keyBytes());
            bytes("Tag \"%s\"".formatted(name), utf8(value), LIMITS.names().keyBytes());
        });
    }

    static void message(MessageId id, Json body, Map<String, String> headers) {
        atMost("headers", headers.size(), QUEUES.headers());
        bytes("Message %s".formatted(id), size(body, headers), QUEUES.messageBytes());
    }

    static void batch(List<NewMessage> messages) {
        atMost("messages in one send", messages.size(), QUEUES.batchMessages());
        long bytes = messages.stream()
                .mapToLong(message -> size(message.body(), message.headers()))
                .sum();
        bytes("The send", bytes, QUEUES.batchBytes());
    }

    static void delay(Duration delay) {
        if (delay.isNegative() || delay.compareTo(QUEUES.delayMax()) > 0) {
            throw outOfBounds("A delay of %s is not between 0 and %s.".formatted(delay, QUEUES.delayMax()));
        }
    }

    static void visibility(Duration length) {
        if (length.compareTo(QUEUES.visibilityMax()) > 0) {
            throw outOfBounds("A visibility of %s is over %s.".formatted(length, QUEUES.visibilityMax()));
        }
    }

    static void received(int max) {
        Commit.require(max >= 1, "A receive asks for one message at least.");
        atMost("messages in one receive", max, QUEUES.receiveMessages());
    }

    /** Cuts what a receiver says of its failure to the length that is kept. */
    static String error(String text) {
        int longest = LIMITS.values().errorCharacters();
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }

    private static long size(Json body, Map<String, String> headers) {
        long headerBytes = headers.entrySet().stream()
                .mapToLong(header -> utf8(header.getKey()) + utf8(header.getValue()))
                .sum();
        return headerBytes + body.bytes();
    }

    private static void atMost(String what, int count, int most) {
        if (count > most) {
            throw outOfBounds("%,d %s are more than %,d.".formatted(count, what, most));
        }
    }

    private static void bytes(String what, long bytes, int most) {
        if (bytes > most) {
            throw new InvalidValueException(
                    ErrorCode.VALUE_TOO_LARGE, "%s has %,d bytes; at most %,d fit.".formatted(what, bytes, most));
        }
    }

    private static InvalidValueException outOfBounds(String what) {
        return new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, what);
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
