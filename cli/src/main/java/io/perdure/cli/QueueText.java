package io.perdure.cli;

import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueueStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** Queues as they are shown: in words for people, as numbers in milliseconds for programs. */
final class QueueText {
    private static final int WIDEST = 100;

    private QueueText() {}

    /** The queue that these dead letters come from. */
    static String ofDeadLetters(String name) {
        return name.replaceFirst("\\.dlq$", "");
    }

    /** A queue as programs read it. */
    static Map<String, Object> json(QueueStatus queue) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", queue.name().value());
        shown.putAll(figures(queue.figures()));
        // Dead letters have no settings of their own: they follow those of the queue that they come from.
        if (!queue.name().holdsDeadLetters()) {
            shown.put("settings", settings(queue.settings()));
        }
        return shown;
    }

    /** What the settings of a queue mean, indented. */
    static void print(Terminal terminal, String name, QueueSettings settings) {
        Wrap.lines(sentences(name, settings), Math.min(terminal.columns(), WIDEST) - 2)
                .forEach(line -> terminal.out().println("  " + line));
    }

    static Map<String, Object> settings(QueueSettings settings) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("visibilityMillis", settings.visibility().toMillis());
        shown.put("retries", settings.retries());
        shown.put("deadLetters", settings.deadLetters());
        shown.put("retentionMillis", settings.retention().toMillis());
        shown.put("deadLetterRetentionMillis", settings.deadLetterRetention().toMillis());
        shown.put("maxDelayMillis", settings.maxDelay().toMillis());
        return shown;
    }

    private static String sentences(String name, QueueSettings settings) {
        String delivered = settings.deliveries() == 1 ? "once" : "up to " + settings.deliveries() + " times";
        String givenUp = settings.deadLetters()
                ? "kept in %s.dlq for %s".formatted(name, Units.duration(settings.deadLetterRetention()))
                : "deleted";
        return ("A received message stays with its receiver for %s. It is delivered %s, then %s. "
                        + "What nobody receives is kept for %s. A delay may be up to %s.")
                .formatted(
                        Units.duration(settings.visibility()),
                        delivered,
                        givenUp,
                        Units.duration(settings.retention()),
                        Units.duration(settings.maxDelay()));
    }

    private static Map<String, Object> figures(QueueFigures figures) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("ready", figures.ready());
        shown.put("delayed", figures.delayed());
        shown.put("leased", figures.leased());
        if (figures.oldest() != null) {
            shown.put("oldest", figures.oldest().toString());
            shown.put("oldestAgeMillis", Age.since(figures.oldest()).toMillis());
        }
        shown.put("in", figures.in());
        shown.put("out", figures.out());
        shown.put("retried", figures.retried());
        shown.put("deadLettered", figures.deadLettered());
        shown.put("expired", figures.expired());
        return shown;
    }

    /** What happened since the queue was created; what never happened is left out, save for what came in. */
    static String sinceCreated(QueueFigures figures) {
        StringJoiner words = new StringJoiner(", ");
        words.add(Units.count(figures.in()) + " in");
        add(words, figures.out(), "out");
        add(words, figures.retried(), "retried");
        add(words, figures.deadLettered(), "dead-lettered");
        add(words, figures.expired(), "expired");
        return words.toString();
    }

    /** A number of messages in words. */
    static String messages(long count) {
        return count == 1 ? "1 message" : Units.count(count) + " messages";
    }

    private static void add(StringJoiner words, long count, String what) {
        if (count > 0) {
            words.add(Units.count(count) + " " + what);
        }
    }
}
