package io.perdure.cli;

import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.QueuedMessage;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.util.RawValue;

/** Messages as they are shown: in words for people, as JSON for programs. */
final class MessageText {
    private MessageText() {}

    /** What there is to say of a message that was received; it ends with an empty line. */
    static void print(Terminal terminal, Delivery delivery) {
        Labelled.print(terminal, "message", delivery.id().toString());
        Labelled.print(terminal, "body", delivery.body().text());
        printHeaders(terminal, delivery.headers());
        delivery.group().ifPresent(group -> Labelled.print(terminal, "group", group.value()));
        delivery.deadLetter()
                .ifPresentOrElse(
                        dead -> printGivenUp(terminal, dead, delivery.earlierAttempts()),
                        () -> printAttempts(terminal, delivery.attempts(), delivery.earlierAttempts()));
        delivery.lastError().ifPresent(error -> Labelled.print(terminal, "last error", error));
        // Rounded down: whoever trusts it is never late.
        Labelled.print(
                terminal,
                "yours until",
                delivery.leasedUntil().truncatedTo(ChronoUnit.SECONDS).toString());
        Labelled.print(terminal, "receipt", delivery.receipt().toString());
        terminal.out().println();
    }

    /** What there is to say of a dead letter. */
    static void print(Terminal terminal, QueuedMessage message, DeadLetter dead) {
        Labelled.print(terminal, "dead letter", message.id().toString());
        printGivenUp(terminal, dead, message.earlierAttempts());
        message.firstDelivered().ifPresent(at -> Labelled.print(terminal, "first", EventText.time(at)));
        message.lastDelivered().ifPresent(at -> Labelled.print(terminal, "last", EventText.time(at)));
        message.lastError().ifPresent(error -> Labelled.print(terminal, "last error", error));
        Labelled.print(terminal, "sent", EventText.time(message.sentAt()));
        Labelled.print(terminal, "kept until", EventText.time(message.expiresAt()));
        message.group().ifPresent(group -> Labelled.print(terminal, "group", group.value()));
        printHeaders(terminal, message.headers());
        Labelled.print(terminal, "body", message.body().text());
    }

    private static void printHeaders(Terminal terminal, Map<String, String> headers) {
        headers.forEach((header, value) -> Labelled.print(terminal, "header", header + "=" + value));
    }

    /** Where a dead letter comes from, and why; its attempts are those there, not those that it has had since. */
    private static void printGivenUp(Terminal terminal, DeadLetter dead, int earlier) {
        Labelled.print(terminal, "queue", dead.origin().value());
        Labelled.print(terminal, "given up", EventText.time(dead.at()) + ", " + sentence(dead.reason()));
        printAttempts(terminal, dead.deliveries(), earlier);
    }

    private static void printAttempts(Terminal terminal, int attempts, int earlier) {
        String before = earlier == 0 ? "" : ", and " + Units.count(earlier) + " before it was redriven";
        Labelled.print(terminal, "attempts", Units.count(attempts) + before);
    }

    static String state(QueuedMessage message) {
        return message.state().name().toLowerCase(Locale.ROOT);
    }

    /** Why a message was given up, in a column. */
    static String word(Reason reason) {
        return switch (reason) {
            case DELIVERIES_USED_UP -> "used up";
            case REJECTED -> "rejected";
        };
    }

    private static String sentence(Reason reason) {
        return switch (reason) {
            case DELIVERIES_USED_UP -> "its deliveries were used up";
            case REJECTED -> "a receiver rejected it";
        };
    }

    /** A text of a user on one line, without what could move the cursor. */
    static String inATable(String text) {
        return Failures.harmless(RunText.oneLine(text).replace('\t', ' '));
    }

    static Map<String, Object> json(MessagePage page) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("messages", page.messages().stream().map(MessageText::json).toList());
        if (page.next() != null) {
            shown.put("next", page.next());
        }
        return shown;
    }

    static Map<String, Object> json(Delivery delivery) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", delivery.id().toString());
        putContents(shown, delivery.body(), delivery.headers(), delivery.group());
        shown.put("attempts", delivery.attempts());
        shown.put("earlierAttempts", delivery.earlierAttempts());
        put(shown, "firstDelivered", delivery.firstDelivered());
        put(shown, "lastDelivered", delivery.lastDelivered());
        put(shown, "lastError", delivery.lastError());
        delivery.deadLetter().ifPresent(dead -> shown.put("deadLetter", json(dead)));
        shown.put("sentAt", delivery.sentAt().toString());
        shown.put("leasedUntil", delivery.leasedUntil().toString());
        shown.put("receipt", delivery.receipt().toString());
        return shown;
    }

    static Map<String, Object> json(QueuedMessage message) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", message.id().toString());
        shown.put("queue", message.queue().value());
        shown.put("state", state(message));
        putContents(shown, message.body(), message.headers(), message.group());
        shown.put("attempts", message.attempts());
        shown.put("earlierAttempts", message.earlierAttempts());
        put(shown, "firstDelivered", message.firstDelivered());
        put(shown, "lastDelivered", message.lastDelivered());
        put(shown, "lastError", message.lastError());
        message.deadLetter().ifPresent(dead -> shown.put("deadLetter", json(dead)));
        shown.put("sentAt", message.sentAt().toString());
        shown.put("readyAt", message.readyAt().toString());
        shown.put("expiresAt", message.expiresAt().toString());
        return shown;
    }

    private static void putContents(
            Map<String, Object> shown, Json body, Map<String, String> headers, Optional<GroupKey> group) {
        // As it was sent: parsing and writing it again would change the digits of numbers.
        shown.put("body", new RawValue(body.text()));
        shown.put("headers", headers);
        put(shown, "group", group);
    }

    private static void put(Map<String, Object> shown, String name, Optional<?> value) {
        value.ifPresent(present -> shown.put(name, present.toString()));
    }

    private static Map<String, Object> json(DeadLetter dead) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("origin", dead.origin().value());
        shown.put("reason", dead.reason().name().toLowerCase(Locale.ROOT));
        shown.put("at", dead.at().toString());
        shown.put("attempts", dead.deliveries());
        return shown;
    }
}
