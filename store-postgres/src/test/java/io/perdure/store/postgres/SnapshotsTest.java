package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the server sends of runs before it is known how large they are. */
@Timeout(60)
final class SnapshotsTest {
    private static final int EVENTS = 40;
    private static final int SIZE = 8_000;
    private static final long BOUND = 100_000;

    private final FreshDatabase database = new FreshDatabase();
    private final Mailroom mailroom = Mailroom.at(database.text());

    @AfterEach
    void close() {
        try (database) {
            mailroom.close();
        }
    }

    private RunId runWithLongHistoryAndMailbox() {
        var start = mailroom.start("large", Json.NULL);
        mailroom.ledger.commit(start);
        String run = start.run().value().toString();
        database.run("""
                INSERT INTO perdure.event (tenant, run, seq, at, event)
                SELECT 'default', '%s', n, 0, repeat('x', %s) FROM generate_series(1, %s) n;
                INSERT INTO perdure.signal (tenant, run, number, event, payload, at)
                SELECT 'default', '%s', n, 'more', repeat('x', %s), 0 FROM generate_series(1, %s) n""".formatted(run, SIZE, EVENTS, run, SIZE, EVENTS));
        return start.run();
    }

    private long bytesSent(String sql, RunId run) throws SQLException {
        long sent = 0;
        try (Connection connection = database.session();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, BOUND);
            statement.setArray(2, connection.createArrayOf("uuid", new UUID[] {run.value()}));
            statement.setString(3, Mailroom.TENANT.value());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String value = rows.getString(5);
                    sent += value == null ? 0 : value.length();
                }
            }
        }
        return sent;
    }

    @Test
    void read_ofManyValuesWithinABound_isSentNoMoreThanTheBound() throws SQLException {
        RunId run = runWithLongHistoryAndMailbox();

        assertThat(bytesSent(Snapshots.CUT_HISTORIES, run)).isBetween(BOUND - SIZE, BOUND);
        assertThat(bytesSent(Snapshots.CUT_MAILBOXES, run)).isBetween(BOUND - SIZE, BOUND);
    }
}
