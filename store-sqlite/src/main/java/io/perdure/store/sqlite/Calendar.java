package io.perdure.store.sqlite;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * By how much one transaction changes the calendar, in which every message is counted that waits for a time: one that has a
 * token as leased, and of the others those as delayed that are not ready at the moment they were sent. Whether a message is
 * counted, and where, follows from its row; so whoever changes a row takes it out as it was and puts it in as it is.
 */
final class Calendar {
    /** A slot is as long as so many bits of microseconds count: 4.2 seconds. */
    private static final int SLOT_BITS = 22;

    /** What is older says nothing any more, unless the clock goes back; and then the calendar is not asked. */
    private static final long KEPT_MICROS = Duration.ofHours(1).toNanos() / 1_000;

    private static final String ADD = """
            INSERT INTO queue_due (queue, slot, delayed, leased) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET delayed = delayed + excluded.delayed, leased = leased + excluded.leased""";

    private record Slot(long queue, long number) {}

    /** By how much what a slot says changes. */
    private static final class Change {
        long delayed;
        long leased;

        Change copy() {
            Change copy = new Change();
            copy.delayed = delayed;
            copy.leased = leased;
            return copy;
        }
    }

    private final Map<Slot, Change> changes = new LinkedHashMap<>();
    private @Nullable Slot last;
    private Change lastChange = new Change();

    /** The slot that a time is in. */
    static long slot(long micros) {
        return micros >> SLOT_BITS;
    }

    /** When a slot begins. */
    static long begin(long slot) {
        return slot << SLOT_BITS;
    }

    /** The first slot that is kept up at that time. */
    static long oldest(long nowMicros) {
        return slot(nowMicros - KEPT_MICROS);
    }

    Calendar copy() {
        Calendar copy = new Calendar();
        changes.forEach((slot, change) -> copy.changes.put(slot, change.copy()));
        return copy;
    }

    /** Puts a message in that nobody holds. */
    void putWaiting(long queue, long sentAt, long readyAt) {
        if (readyAt != sentAt) {
            change(queue, readyAt).delayed++;
        }
    }

    /** Puts in so many messages whose leases end then. */
    void putLeased(long queue, long ends, int messages) {
        change(queue, ends).leased += messages;
    }

    /** Takes a message out, as it was. */
    void take(StoredMessage message) {
        take(message.queue(), message.sentAt(), message.readyAt(), message.token() != null);
    }

    void take(long queue, long sentAt, long readyAt, boolean taken) {
        if (taken) {
            takeLeased(queue, readyAt);
        } else if (readyAt != sentAt) {
            change(queue, readyAt).delayed--;
        }
    }

    /** Takes a message out whose lease was to end then. */
    void takeLeased(long queue, long ends) {
        change(queue, ends).leased--;
    }

    /** Most messages are in the slot of the one before: then nothing is looked up. */
    private Change change(long queue, long micros) {
        long number = slot(micros);
        if (last == null || last.number() != number || last.queue() != queue) {
            last = new Slot(queue, number);
            lastChange = changes.computeIfAbsent(last, _ -> new Change());
        }
        return lastChange;
    }

    /** Drops what is about a queue that is deleted: another may get its number. */
    void forget(QueueRow queue) {
        changes.keySet().removeIf(slot -> slot.queue() == queue.id());
        last = null;
    }

    void write(Session session, long nowMicros) {
        long oldest = oldest(nowMicros);
        changes.forEach((slot, change) -> {
            if (slot.number() >= oldest && (change.delayed != 0 || change.leased != 0)) {
                session.update(ADD, slot.queue(), slot.number(), change.delayed, change.leased);
            }
        });
    }
}
