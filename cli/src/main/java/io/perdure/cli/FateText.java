package io.perdure.cli;

import io.perdure.sdk.queue.Fate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where messages went that were given back or given up: one line for each way, as numbers for programs. */
final class FateText {
    private FateText() {}

    /**
     * Says what became of messages, and throws as {@link Settled#requireAll} does for those that were not settled.
     *
     * @param ways those that are possible, which programs are told of even where none went that way
     */
    static void tell(Terminal terminal, FormatOption format, Settled<Fate> settled, String notDone, Fate... ways) {
        format.print(terminal, json(settled, ways), () -> print(terminal, settled));
        settled.requireAll(notDone);
    }

    private static void print(Terminal terminal, Settled<Fate> settled) {
        for (Fate fate : Fate.values()) {
            int count = Collections.frequency(settled.done().values(), fate);
            if (count > 0) {
                terminal.out().println(line(fate, count));
            }
        }
    }

    private static String line(Fate fate, int count) {
        String messages = QueueText.messages(count);
        return switch (fate) {
            case DONE -> "Acknowledged " + messages + ".";
            case RETRIED -> "Gave back " + messages + ".";
            case RELEASED -> "Gave back " + messages + "; the delivery does not count.";
            case DEAD_LETTERED -> "Gave up " + messages + ", kept among the dead letters now.";
            case DROPPED -> "Gave up " + messages + ", deleted since the queue keeps no dead letters.";
        };
    }

    /** How many went each of these ways, and the receipts that were not settled. */
    private static Map<String, Object> json(Settled<Fate> settled, Fate... ways) {
        Map<String, Object> shown = new LinkedHashMap<>();
        for (Fate way : ways) {
            shown.put(name(way), Collections.frequency(settled.done().values(), way));
        }
        shown.put("lost", Settled.texts(settled.lost()));
        shown.put(
                "refused",
                settled.refused().keySet().stream().map(Object::toString).toList());
        return shown;
    }

    private static String name(Fate fate) {
        return switch (fate) {
            case DONE -> "acknowledged";
            case RETRIED -> "retried";
            case RELEASED -> "released";
            case DEAD_LETTERED -> "deadLettered";
            case DROPPED -> "dropped";
        };
    }
}
