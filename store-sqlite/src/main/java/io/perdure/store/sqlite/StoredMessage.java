package io.perdure.store.sqlite;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.rows.Texts;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of {@code message}, as it was read. */
record StoredMessage(
        long row,
        MessageId id,
        long queue,
        long readyAt,
        long expiresAt,
        long sentAt,
        @Nullable UUID token,
        long leaseNanos,
        int deliveries,
        String body,
        Rest rest) {
    /** The last one of the first line says whether there is anything in the second: for most messages there is not. */
    static final String COLUMNS = """
            m.row, m.id, m.queue, m.ready_at, m.expires_at, m.sent_at, m.token, m.lease_nanos, m.deliveries, m.body,
            m.first_delivered = -9223372036854775808
                AND coalesce(m.group_key, m.headers, m.last_error, m.dead_at, nullif(m.earlier_deliveries, 0)) IS NULL,
            m.earlier_deliveries, m.first_delivered, m.last_delivered, m.group_key, m.group_seq, m.blocked, m.headers,
            m.last_error, m.dead_at, m.dead_origin, m.dead_reason, m.dead_deliveries""";

    /** Stands for the time of a delivery that never was. Takes as much room as any time does, so that a row does not grow. */
    private static final long NEVER = Long.MIN_VALUE;

    static StoredMessage of(Row row) throws SQLException {
        boolean plain = row.small(11) == 1;
        return new StoredMessage(
                row.integer(1),
                new MessageId(row.uuid(2)),
                row.integer(3),
                row.integer(4),
                row.integer(5),
                row.integer(6),
                row.token(7),
                row.integer(8),
                row.small(9),
                row.text(10),
                plain ? Rest.NOTHING : Rest.of(row));
    }

    /** What only some messages have. */
    record Rest(
            int earlierDeliveries,
            @Nullable Instant firstDelivered,
            @Nullable Instant lastDelivered,
            @Nullable String group,
            long groupSeq,
            boolean blocked,
            @Nullable String headers,
            @Nullable String lastError,
            @Nullable DeadLetter deadLetter) {
        private static final Rest NOTHING = new Rest(0, null, null, null, 0, false, null, null, null);

        private static Rest of(Row row) throws SQLException {
            return new Rest(
                    row.small(12),
                    delivered(row, 13),
                    delivered(row, 14),
                    row.textOrNull(15),
                    row.integer(16),
                    row.small(17) == 1,
                    row.textOrNull(18),
                    row.textOrNull(19),
                    deadLetter(row));
        }

        private static @Nullable DeadLetter deadLetter(Row row) throws SQLException {
            Instant at = row.timeOrNull(20);
            return at == null
                    ? null
                    : new DeadLetter(new QueueName(row.text(21)), Reason.valueOf(row.text(22)), at, row.small(23));
        }

        private static @Nullable Instant delivered(Row row, int column) throws SQLException {
            long micros = row.integer(column);
            return micros == NEVER ? null : Times.instant(micros);
        }
    }

    @Nullable
    String group() {
        return rest.group();
    }

    long groupSeq() {
        return rest.groupSeq();
    }

    /** Whether another one of its group was before it. */
    boolean isBlocked() {
        return rest.blocked();
    }

    @Nullable
    String lastError() {
        return rest.lastError();
    }

    @Nullable
    DeadLetter deadLetter() {
        return rest.deadLetter();
    }

    /** Whether someone holds a lease that has not run out. */
    boolean isLeased(long nowMicros) {
        return token != null && readyAt > nowMicros;
    }

    /** Whether this token is the last it was taken with. A lease that ran out passes until somebody else takes it. */
    boolean isHeldBy(UUID candidate) {
        return candidate.equals(token);
    }

    /** Whether it has outlived its retention, if it is not leased. */
    boolean isExpired(long nowMicros) {
        return expiresAt <= nowMicros;
    }

    MessageRow asRead(QueueName name, long nowMicros) {
        return asRead(name, readyAt, isLeased(nowMicros), deliveries, rest.firstDelivered(), rest.lastDelivered());
    }

    /** The same as it is once this delivery is counted and its lease ends then. Those of a dead letter are no attempts at it. */
    MessageRow asDelivered(QueueName name, Instant now, long leasedUntil) {
        Instant first = rest.firstDelivered();
        Instant last = rest.lastDelivered();
        if (!name.holdsDeadLetters()) {
            first = first == null ? now : first;
            last = now;
        }
        return asRead(name, leasedUntil, true, deliveries + 1, first, last);
    }

    private MessageRow asRead(
            QueueName name,
            long ready,
            boolean leased,
            int delivered,
            @Nullable Instant firstDelivered,
            @Nullable Instant lastDelivered) {
        return new MessageRow(
                id,
                name,
                Json.ofStored(body),
                Texts.map(rest.headers()),
                rest.group() == null ? null : new GroupKey(rest.group()),
                rest.groupSeq(),
                Times.instant(sentAt),
                Times.instant(ready),
                Times.instant(expiresAt),
                leased,
                delivered,
                rest.earlierDeliveries(),
                firstDelivered,
                lastDelivered,
                rest.lastError(),
                rest.deadLetter());
    }
}
