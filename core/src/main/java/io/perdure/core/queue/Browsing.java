package io.perdure.core.queue;

import io.perdure.core.store.Bounds;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageQuery.Cursor;
import io.perdure.core.store.MessageRow;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.queue.QueuedMessage.State;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks through one queue without leasing, and names the places where a look can go on. */
final class Browsing {
    private static final String WORD = "ready";

    private final Queues queues;
    private final QueueName queue;

    Browsing(Queues queues, QueueName queue) {
        this.queues = queues;
        this.queue = queue;
    }

    MessagePage page(int limit, @Nullable String after) {
        queues.checkOpen();
        Bounds.page(limit);
        List<MessageRow> rows = rows(limit, after == null ? null : place(after));
        if (rows.isEmpty()) {
            return new MessagePage(List.of(), null);
        }
        Instant now = queues.store().now();
        return new MessagePage(
                rows.stream()
                        .map(row -> new QueuedMessage(row.info(), state(row, now)))
                        .toList(),
                rows.size() < limit ? null : text(cursor(rows.getLast())));
    }

    /** As the figures count it: what was sent without a delay is never delayed, wherever the clock has gone since. */
    private static State state(MessageRow row, Instant now) {
        if (row.leased()) {
            return State.LEASED;
        }
        return row.readyAt().isAfter(now) && !row.readyAt().equals(row.sentAt()) ? State.DELAYED : State.READY;
    }

    List<MessageRow> rows(int limit, @Nullable Cursor after) {
        return queues.store().messages(new MessageQuery(queues.tenant(), queue, false, after, limit));
    }

    static Cursor cursor(MessageRow row) {
        return new Cursor(row.readyAt(), row.id());
    }

    private static String text(Cursor place) {
        return WORD + "_" + place.readyAt() + "_" + place.message();
    }

    private static Cursor place(String text) {
        String[] parts = text.split("_", -1);
        try {
            if (parts.length == 3 && parts[0].equals(WORD)) {
                return new Cursor(Instant.parse(parts[1]), MessageId.parse(parts[2]));
            }
        } catch (DateTimeException | InvalidValueException e) {
            throw new InvalidValueException(ErrorCode.INVALID_ID, notAPlace(text), e);
        }
        throw new InvalidValueException(ErrorCode.INVALID_ID, notAPlace(text));
    }

    private static String notAPlace(String text) {
        return "\"%s\" is no place in a list of messages.".formatted(text);
    }
}
