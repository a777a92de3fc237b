package io.perdure.testkit.invariant;

import io.perdure.core.store.MessageRow;
import io.perdure.sdk.json.Json;
import java.time.Instant;

/** A message's row with another number, time or body. */
final class MessageRows {
    private MessageRows() {}

    /** With another place in its group. */
    static MessageRow numbered(MessageRow row, long number) {
        return of(row, row.body(), number, row.readyAt(), row.leased());
    }

    /** With nobody, and ready at a time. */
    static MessageRow waiting(MessageRow row, Instant ready) {
        return of(row, row.body(), row.groupSeq(), ready, false);
    }

    static MessageRow saying(MessageRow row, Json body) {
        return of(row, body, row.groupSeq(), row.readyAt(), row.leased());
    }

    private static MessageRow of(MessageRow row, Json body, long number, Instant ready, boolean leased) {
        return new MessageRow(
                row.id(),
                row.queue(),
                body,
                row.headers(),
                row.group(),
                number,
                row.sentAt(),
                ready,
                row.expiresAt(),
                leased,
                row.deliveries(),
                row.earlierDeliveries(),
                row.firstDelivered(),
                row.lastDelivered(),
                row.lastError(),
                row.deadLetter());
    }
}
