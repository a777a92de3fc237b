package io.perdure.store.sqlite;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueSettings;
import java.sql.SQLException;
import java.time.Duration;

/** A queue as the writer knows it: settings, and the number that its messages name it by. */
record QueueRow(long id, TenantId tenant, QueueName name, QueueSettings settings) {
    static final String COLUMNS = """
            id, tenant, name, visibility_millis, retries, dead_letters, retention_millis,
            dead_letter_retention_millis, max_delay_millis""";

    static QueueRow of(Row row) throws SQLException {
        QueueSettings settings = new QueueSettings(
                Duration.ofMillis(row.integer(4)),
                row.small(5),
                row.small(6) == 1,
                Duration.ofMillis(row.integer(7)),
                Duration.ofMillis(row.integer(8)),
                Duration.ofMillis(row.integer(9)));
        return new QueueRow(row.integer(1), new TenantId(row.text(2)), new QueueName(row.text(3)), settings);
    }

    /** How long a message is kept here from when it is ready. */
    Duration retention() {
        return name.holdsDeadLetters() ? settings.deadLetterRetention() : settings.retention();
    }

    /** Whether a message delivered so often may not be delivered again. Dead letters may be delivered for ever. */
    boolean isUsedUp(int deliveries) {
        return deliveries >= mostDeliveries();
    }

    int mostDeliveries() {
        return name.holdsDeadLetters() ? Integer.MAX_VALUE : settings.deliveries();
    }
}
