package io.perdure.core.store;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Holds commits to {@link Limits} when they are made: what is too large, or what a database cannot hold, never travels. */
public final class Bounds {
    private static final Limits LIMITS = Limits.defaults();
    private static final Limits.Queues QUEUES = LIMITS.queues();

    private Bounds() {}

    static void events(List<Draft> events) {
        between(
                "The number of events in one commit",
                events.size(),
                0,
                LIMITS.calls().commitEvents());
    }

    static void tags(Map<String, String> tags) {
        between("The number of tags", tags.size(), 0, LIMITS.runs().tags());
        tags.forEach((name, value) -> {
            text("Tag name", name);
            text("Tag \"%s\"".formatted(name), value);
            bytes("A tag's name", utf8(name), LIMITS.names().keyBytes());
            bytes("Tag \"%s\"".formatted(name), utf8(value), LIMITS.names().keyBytes());
        });
    }

    static void retentionDays(int days) {
        between("The number of days to keep a run", days, 1, LIMITS.runs().retentionDaysCeiling());
    }

    static void message(MessageId id, Json body, Map<String, String> headers) {
        between("The number of headers", headers.size(), 0, QUEUES.headers());
        headers.forEach((name, value) -> {
            text("Header name", name);
            text("Header \"%s\"".formatted(name), value);
        });
        bytes("Message %s".formatted(id), size(body, headers), QUEUES.messageBytes());
    }

    static void batch(List<NewMessage> messages) {
        between("The number of messages in one send", messages.size(), 0, QUEUES.batchMessages());
        long bytes = messages.stream()
                .mapToLong(message -> size(message.body(), message.headers()))
                .sum();
        bytes("The send", bytes, QUEUES.batchBytes());
    }

    /** Throws {@code PD-007} unless a read may ask for so many rows. */
    public static void page(int rows) {
        between("The number of rows in a page", rows, 1, LIMITS.calls().pageRows());
    }

    /** Throws {@code PD-007} unless a sweep or purge may remove so many rows. */
    public static void swept(int rows) {
        between("The number of rows to remove", rows, 1, LIMITS.calls().sweepRows());
    }

    /** Throws {@code PD-007} unless one call may name so many runs or leases. */
    public static void listed(int count) {
        between(
                "The number of runs or leases in one call",
                count,
                0,
                LIMITS.calls().pageRows());
    }

    /** Throws {@code PD-007} unless a process may have so many lanes. */
    public static void lanes(int count) {
        between("The number of lanes", count, 1, LIMITS.lanes().perProcess());
    }

    /** Throws {@code PD-008} for a queue of runs. */
    static void usersQueue(QueueName queue) {
        Commit.require(
                !queue.holdsRuns(), "Queue \"%s\" holds runs, which only the engine may touch.".formatted(queue));
    }

    static void commits(int count) {
        between("The number of commits in one batch", count, 1, LIMITS.calls().batchCommits());
    }

    /** Throws {@code PD-007} unless commits can be gathered so. */
    static void ledger(Limits.Ledger ledger) {
        lanes(ledger.lanes());
        // A commit is a row at least, so this also keeps a batch to the commits that it may have.
        commits(ledger.batchRows());
        between("The number of bytes in one batch", ledger.batchBytes(), 1, Integer.MAX_VALUE);
        between("The number of waiting commits", ledger.waitingCommits(), 1, Room.MOST_COMMITS);
        between("The number of waiting bytes", ledger.waitingBytes(), 1, Integer.MAX_VALUE);
        if (ledger.patience().isNegative() || ledger.patience().compareTo(Duration.ofDays(1)) > 0) {
            throw outOfBounds("A patience of %s is not between 0 and 1 day.".formatted(ledger.patience()));
        }
    }

    static void claimed(int max) {
        between("The number of runs to claim", max, 1, LIMITS.calls().claimRuns());
    }

    static void concurrency(int runs) {
        between("The number of runs at once", runs, 1, LIMITS.workers().concurrencyMax());
    }

    /** Free text that every database can hold, as long as a key may be. */
    static void name(String what, String text) {
        text(what, text);
        if (text.isEmpty()) {
            throw new InvalidValueException(ErrorCode.INVALID_KEY, "%s is empty.".formatted(what));
        }
        bytes(what, utf8(text), LIMITS.names().keyBytes());
    }

    /** Throws {@code PD-007} unless a key may expire after so long. */
    public static void expiry(Duration after) {
        Duration most = LIMITS.keys().expiryMax();
        if (!after.isPositive() || after.compareTo(most) > 0) {
            throw outOfBounds("A key that expires after %s is not allowed: more than 0 and at most %s days are."
                    .formatted(after, most.toDays()));
        }
    }

    /** A time to compare stored times with: brought into the range that databases know, which changes no answer. */
    static Instant time(Instant time) {
        return new Due.At(time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time).fixedAt(Instant.EPOCH);
    }

    /** The time that was so long ago, or 1970; throws {@code PD-007} for one that is yet to come. */
    public static Instant ago(Duration by, Instant now) {
        if (by.isNegative()) {
            throw outOfBounds("A time %s ago is yet to come.".formatted(by));
        }
        return by.compareTo(Duration.between(Instant.EPOCH, now)) < 0 ? now.minus(by) : Instant.EPOCH;
    }

    /** What a receiver says of its failure, cut to the length that is kept, without what a database cannot hold. */
    static String error(String text) {
        StringBuilder kept = new StringBuilder(text.length());
        text.codePoints().forEach(point -> kept.appendCodePoint(isStorable(point) ? point : 0xFFFD));
        return Failure.cut(kept.toString());
    }

    private static void text(String what, String text) {
        if (!text.codePoints().allMatch(Bounds::isStorable)) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_KEY, "%s holds a NUL or half a surrogate pair.".formatted(error(what)));
        }
    }

    private static boolean isStorable(int point) {
        return point != 0 && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
    }

    private static long size(Json body, Map<String, String> headers) {
        long headerBytes = headers.entrySet().stream()
                .mapToLong(header -> utf8(header.getKey()) + utf8(header.getValue()))
                .sum();
        return headerBytes + body.bytes();
    }

    private static void between(String what, int count, int least, int most) {
        if (count < least || count > most) {
            throw outOfBounds(
                    String.format(Locale.ROOT, "%s is %,d; it must lie between %d and %,d.", what, count, least, most));
        }
    }

    private static void bytes(String what, long bytes, int most) {
        if (bytes > most) {
            throw new InvalidValueException(
                    ErrorCode.VALUE_TOO_LARGE,
                    String.format(Locale.ROOT, "%s has %,d bytes; at most %,d fit.", what, bytes, most));
        }
    }

    private static InvalidValueException outOfBounds(String what) {
        return new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, what);
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
