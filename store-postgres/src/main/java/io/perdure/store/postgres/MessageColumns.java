package io.perdure.store.postgres;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The columns that a message of a user is read from, the first ones of their query. */
final class MessageColumns {
    static final String NAMES = """
            m.id, m.body, m.headers, m.group_key, m.group_seq, m.sent_at, m.ready_at, m.expires_at, m.deliveries,
            m.earlier_deliveries, m.first_delivered, m.last_delivered, m.last_error,
            m.dead_origin, m.dead_reason, m.dead_at, m.dead_deliveries""";

    static final int COUNT = 17;

    private MessageColumns() {}

    static MessageRow message(Row row, QueueName queue, boolean leased) throws SQLException {
        String group = row.textOrNull(4);
        return new MessageRow(
                new MessageId(row.uuid(1)),
                queue,
                row.json(2),
                Texts.map(row.textOrNull(3)),
                group == null ? null : new GroupKey(group),
                row.integer(5),
                row.time(6),
                row.time(7),
                row.time(8),
                leased,
                row.small(9),
                row.small(10),
                row.timeOrNull(11),
                row.timeOrNull(12),
                row.textOrNull(13),
                deadLetter(row));
    }

    private static @Nullable DeadLetter deadLetter(Row row) throws SQLException {
        Instant at = row.timeOrNull(16);
        return at == null
                ? null
                : new DeadLetter(new QueueName(row.text(14)), Reason.valueOf(row.text(15)), at, row.small(17));
    }
}
