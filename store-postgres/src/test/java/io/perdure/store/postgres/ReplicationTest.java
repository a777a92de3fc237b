package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Finding;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.copy.CopyDual;

/** What copies of a server hold, each by a slot of a real one. What takes gigabytes or millions has lower bounds here. */
class ReplicationTest {
    private static final Replication.Bounds AT_ONCE = new Replication.Bounds(1_000, 100);
    private static final String TRANSACTIONS =
            "DO $$ BEGIN FOR n IN 1..200 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$";

    private final FreshDatabase database = new FreshDatabase();
    private final String slot = "slot_of_" + database.name();

    @BeforeEach
    void reserve() {
        database.run("SELECT pg_create_physical_replication_slot('" + slot + "', true)");
    }

    @AfterEach
    void drop() {
        // A server notices only after a while that the standby has gone.
        while (!database.read(
                        "SELECT count(*)::text FROM pg_replication_slots WHERE active AND slot_name = '" + slot + "'")
                .equals("0")) {
            Thread.onSpinWait();
        }
        database.run("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '" + slot
                + "'");
        database.close();
    }

    private List<String> warnings(Replication.Bounds bounds) {
        try (Connections connections = Connections.to(database.url())) {
            return connections.read(session -> new Replication(session, bounds).findings()).stream()
                    .map(Finding::found)
                    .toList();
        }
    }

    @Test
    void theLogThatASlotKeepsIsAWarningUntilTheSlotIsGone() {
        database.run("CREATE TABLE filler AS SELECT n FROM generate_series(1, 1000) n");
        assertThat(warnings(AT_ONCE))
                .filteredOn(found -> found.startsWith("The server's log fills the disk: the slot "))
                .singleElement()
                .asString()
                .containsPattern("the slot " + slot + " keeps \\d+ (bytes|kB|MB), and nobody reads it");
        assertThat(warnings(Replication.BOUNDS)).isEmpty();

        database.run("SELECT pg_drop_replication_slot('" + slot + "')");
        assertThat(warnings(AT_ONCE)).noneMatch(found -> found.contains(slot));
    }

    @Test
    void theRowsThatAStandbyStillSeesAreAWarningAlsoWhenItIsGone() throws SQLException {
        try (Connection standby = replicating()) {
            CopyDual stream = standby.unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyDual("START_REPLICATION SLOT " + slot + " PHYSICAL "
                            + database.read("SELECT pg_current_wal_lsn()"));
            byte[] feedback = feedback(Long.parseLong(database.read("SELECT pg_current_xact_id()::text")));
            stream.writeToCopy(feedback, 0, feedback.length);
            stream.flushCopy();
            // The server takes what it was told before it answers that the stream has ended.
            stream.endCopy();
        }
        database.run(TRANSACTIONS);

        assertThat(warnings(AT_ONCE))
                .filteredOn(found -> found.startsWith("Held for more than 100 transactions by "))
                .singleElement()
                .asString()
                .contains("the slot " + slot)
                .endsWith("dead rows cannot be cleaned up meanwhile.");
        assertThat(warnings(Replication.BOUNDS)).isEmpty();
    }

    /** As a standby connects. */
    private Connection replicating() throws SQLException {
        Properties properties = new Properties();
        PGProperty.REPLICATION.set(properties, "true");
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "9.4");
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        return DriverManager.getConnection(database.text(), properties);
    }

    /** The message with which a standby tells the oldest transaction that it may still have to see. */
    private static byte[] feedback(long transaction) {
        return ByteBuffer.allocate(1 + Long.BYTES + 4 * Integer.BYTES)
                .put((byte) 'h')
                .putLong(0)
                .putInt((int) transaction)
                .putInt((int) (transaction >>> Integer.SIZE))
                .putLong(0)
                .array();
    }
}
