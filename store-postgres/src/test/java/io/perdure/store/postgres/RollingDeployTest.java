package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Fate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A newer release has come and changed the schema in a way that it says is safe: processes of this one go on. */
@Timeout(60)
final class RollingDeployTest {
    /** Columns on the tables that functions of today copy whole rows of, and a function beside the one of today. */
    private static final Migration NEWER = Migration.of(Migrations.ALL.size() + 1, "newer.sql", """
            -- works with releases that know migration 1
            ALTER TABLE perdure.message ADD COLUMN priority integer NOT NULL DEFAULT 0;
            ALTER TABLE perdure.queue ADD COLUMN paused boolean NOT NULL DEFAULT false;
            ALTER TABLE perdure.run ADD COLUMN priority integer;
            CREATE TABLE perdure.region (name text PRIMARY KEY);
            CREATE FUNCTION perdure.open_lanes_2(_process uuid, _count integer, _region text) RETURNS void
            LANGUAGE sql AS $$ SELECT perdure.open_lanes_1(_process, _count) $$;
            """);

    @Test
    void processesOfTodayGoOnThroughAndAfterIt() {
        try (FreshDatabase database = new FreshDatabase();
                Mailroom before = Mailroom.at(database.text())) {
            works(before, "a");
            new Migrations(
                            database.url(),
                            Stream.concat(Migrations.ALL.stream(), Stream.of(NEWER))
                                    .toList())
                    .apply();
            works(before, "b");
            try (Mailroom after = Mailroom.at(database.text())) {
                works(after, "c");
                works(before, "d");
            }
        }
    }

    private static void works(Mailroom mailroom, String key) {
        mailroom.sendAll(2);
        List<Delivery> deliveries = mailroom.receive(10, Mailroom.LONG);
        assertThat(deliveries).hasSize(2);
        assertThat(mailroom.ledger.commitAll(
                        deliveries.stream().map(Mailroom::done).toList()))
                .containsOnly(new Outcome.Settled(Fate.DONE));
        assertThat(mailroom.ledger.commit(mailroom.start(key, Json.NULL))).isInstanceOf(Outcome.Started.class);
        assertThat(mailroom.messages(Mailroom.QUEUE)).isEmpty();
    }
}
