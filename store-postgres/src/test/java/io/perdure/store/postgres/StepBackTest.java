package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Lease;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Claim.Served;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the store does about a clock that went back, as far as only Postgres has it: locks, slices and the latest lease. */
@Timeout(120)
final class StepBackTest {
    /** As if leases had been taken by a clock that was an hour ahead. */
    private static final String AN_HOUR_AHEAD = "SELECT setval('perdure.latest_lease', perdure.clock_1() + 3600000000)";

    /** More than one call looks at, in two workflows; and more messages than that, in two queues. */
    private static final String MANY_LEASES = """
            INSERT INTO perdure.run_message (tenant, run, queue, ready_at, token, lease_micros)
            SELECT 'default', gen_random_uuid(), '__wf_w' || n % 2 || '@1', perdure.clock_1() + 3600000000, gen_random_uuid(), 10000000
            FROM generate_series(1, 25000) n;
            INSERT INTO perdure.queue (tenant, name, visibility_millis, retries, dead_letters, retention_millis,
                                       dead_letter_retention_millis, max_delay_millis)
            SELECT 'default', n, 30000, 3, false, 345600000, 345600000, 43200000 FROM unnest(ARRAY['one', 'two']) n;
            INSERT INTO perdure.message (tenant, id, queue, ready_at, expires_at, sent_at, token, lease_micros, body)
            SELECT 'default', gen_random_uuid(), q.id, perdure.clock_1() + 3600000000, 9e15, 0, gen_random_uuid(), 10000000, '{}'
            FROM generate_series(1, 12000) n, perdure.queue q WHERE q.name IN ('one', 'two')""";

    private static final String STILL_AHEAD = """
            SELECT ((SELECT count(*) FROM perdure.run_message WHERE ready_at > perdure.clock_1() + 60000000)
                  + (SELECT count(*) FROM perdure.message WHERE ready_at > perdure.clock_1() + 60000000))::text""";

    private static final String IS_BACK =
            "SELECT (perdure.clock_1() < (SELECT last_value FROM perdure.latest_lease))::text";

    private final FreshDatabase database = new FreshDatabase();
    private final Mailroom mailroom = Mailroom.at(database.text());

    @AfterEach
    void close() {
        try (database) {
            mailroom.close();
        }
    }

    private Claimed claim() {
        return mailroom.store.claim(new ClaimRuns(
                Mailroom.TENANT,
                List.of(new Served(Mailroom.WORKFLOW, Set.of(1))),
                10,
                new Lease(mailroom.environment.ids().token(), Mailroom.LONG)));
    }

    private List<RunId> claimed() {
        return claim().runs().stream().map(Claimed.ClaimedRun::run).toList();
    }

    /** It takes its version with the claim, so its row changes too, and another worker has it now. */
    @Test
    void claim_afterClockStepsBack_skipsARunWithoutAVersionThatIsLocked() throws SQLException {
        Start versioned = mailroom.start("key", Json.NULL);
        Start start = new Start(
                versioned.tenant(),
                versioned.run(),
                new Definition(Mailroom.WORKFLOW, null, null, Json.NULL, Map.of()),
                versioned.ready(),
                null,
                versioned.options());
        mailroom.ledger.commit(start);
        database.run(AN_HOUR_AHEAD);
        try (Connection other = database.session();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("SELECT 1 FROM perdure.run FOR UPDATE");

            assertThat(claimed()).isEmpty();
            other.rollback();
        }
        assertThat(claimed()).containsExactly(start.run());
    }

    @Test
    void claim_afterAClockFarAheadWasCorrected_looksFurtherOnlyOnce() {
        database.run(AN_HOUR_AHEAD);
        assertThat(claimed()).isEmpty();
        assertThat(claimed()).isEmpty();
        assertThat(database.read(IS_BACK)).isEqualTo("false");
    }

    @Test
    void receive_afterAClockFarAheadWasCorrected_looksFurtherOnlyOnce() {
        database.run(AN_HOUR_AHEAD);
        assertThat(mailroom.receive(1, Mailroom.LONG)).isEmpty();
        assertThat(mailroom.receive(1, Mailroom.LONG)).isEmpty();
        assertThat(database.read(IS_BACK)).isEqualTo("false");
    }

    @Test
    void claim_afterClockStepsBackUnderManyLeases_shortensAllOfThemInSeveralCalls() {
        database.run(MANY_LEASES);
        database.run(AN_HOUR_AHEAD);
        int calls = 0;
        while (!database.read(STILL_AHEAD).equals("0")) {
            assertThat(claimed()).isEmpty();
            calls++;
        }
        assertThat(calls).as("calls, of which each is bounded").isBetween(2, 5);
        assertThat(database.read("SELECT sum(leased)::text FROM perdure.queue_due WHERE bits = 22"))
                .isEqualTo("0");
        while (database.read(IS_BACK).equals("true")) {
            assertThat(claimed()).isEmpty();
        }
    }

    /** What a transaction wrote by the time before, and committed only after the others were looked at. */
    @Test
    void sweep_aMinuteAfterTheRepair_shortensALeaseThatCameLate() {
        database.run(AN_HOUR_AHEAD);
        assertThat(claimed()).isEmpty();
        assertThat(claimed()).isEmpty();
        database.run(MANY_LEASES);
        mailroom.store.sweep(Sweep.EXPIRED_MESSAGES, 100);
        assertThat(database.read(STILL_AHEAD)).isEqualTo("49000");

        sweepAMinuteLater();
        assertThat(database.read(STILL_AHEAD)).isEqualTo("0");
    }

    private void sweepAMinuteLater() {
        database.run("UPDATE perdure.lease_repair SET restarted = restarted - 60000000");
        while (!database.read("SELECT phase::text FROM perdure.lease_repair").equals("0")) {
            mailroom.store.sweep(Sweep.EXPIRED_MESSAGES, 100);
        }
    }

    @Test
    void sweep_onceTheClockHasCaughtUp_endsTheRepair() {
        database.run(AN_HOUR_AHEAD);
        assertThat(claimed()).isEmpty();
        database.run("SELECT setval('perdure.latest_lease', perdure.clock_1())");
        mailroom.store.sweep(Sweep.EXPIRED_MESSAGES, 100);
        sweepAMinuteLater();
        assertThat(database.read(STILL_AHEAD)).isEqualTo("0");
    }

    /** It set the latest lease, which stays, and what it wrote besides is gone. */
    @Test
    void sweep_afterACallThatEndedTheRepairFailed_stillShortensALeaseThatCameLate() throws SQLException {
        database.run(AN_HOUR_AHEAD);
        assertThat(claimed()).isEmpty();
        try (Connection failing = database.session();
                Statement call = failing.createStatement()) {
            failing.setAutoCommit(false);
            call.execute("SELECT perdure.lease_clock_1(10000000)");
            failing.rollback();
        }
        assertThat(database.read(IS_BACK)).isEqualTo("false");
        database.run(MANY_LEASES);
        mailroom.store.sweep(Sweep.EXPIRED_MESSAGES, 100);

        sweepAMinuteLater();
        assertThat(database.read(STILL_AHEAD)).isEqualTo("0");
    }
}
