package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Lease;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Claim.Served;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While a transaction elsewhere keeps dead entries of the index from being cleaned up, claims do not step over them again and again. */
@Timeout(120)
final class DeadEntriesTest {
    /** The messages of runs that were due, and are over. */
    private static final String OVER = """
            INSERT INTO perdure.run_message (tenant, run, queue, ready_at)
            SELECT 'default', gen_random_uuid(), '__wf_onboard@1', perdure.clock_1() - 1000000 - n
            FROM generate_series(1, 60000) n;
            DELETE FROM perdure.run_message""";

    /** Notes what each claim reads of the index. */
    private static final String NOTING = """
            CREATE TABLE perdure.look (number serial, pages bigint, began bigint, took bigint, all_pages bigint);
            ALTER FUNCTION perdure.claim_2 RENAME TO claim_2_itself;
            CREATE FUNCTION perdure.claim_2(text, text[], integer[], text[], integer, uuid, bigint, bigint, bigint[])
            RETURNS TABLE (run uuid, line integer, lapses integer, leased_until bigint, next_ready bigint, now bigint,
                           first_ready bigint[], took bigint, pages bigint) LANGUAGE plpgsql AS $$
            DECLARE
                _before bigint := pg_stat_get_xact_blocks_fetched('perdure.run_message_by_ready'::regclass);
            BEGIN
                FOR run, line, lapses, leased_until, next_ready, now, first_ready, took, pages IN
                    SELECT * FROM perdure.claim_2_itself($1, $2, $3, $4, $5, $6, $7, $8, $9)
                LOOP
                    IF run IS NULL THEN
                        INSERT INTO perdure.look VALUES (DEFAULT, pages, now, took,
                            pg_stat_get_xact_blocks_fetched('perdure.run_message_by_ready'::regclass) - _before);
                    END IF;
                    RETURN NEXT;
                END LOOP;
            END $$""";

    private final FreshDatabase database = new FreshDatabase();
    private final Mailroom mailroom = Mailroom.at(database.text());

    @BeforeEach
    void noteClaims() {
        database.run(NOTING);
    }

    @AfterEach
    void close() {
        try (database) {
            mailroom.close();
        }
    }

    private Claimed claim() {
        return claim(Set.of(1), 10);
    }

    private Claimed claim(Set<Integer> versions, int max) {
        return claim(versions, max, Due.FAR_FUTURE);
    }

    private Claimed claim(Set<Integer> versions, int max, Instant reclaimsUntil) {
        return mailroom.store.claim(new ClaimRuns(
                Mailroom.TENANT,
                List.of(new Served(Mailroom.WORKFLOW, versions)),
                max,
                new Lease(mailroom.environment.ids().token(), Mailroom.LONG),
                reclaimsUntil));
    }

    private RunId started(String key) {
        Start start = mailroom.start(key, Json.NULL);
        mailroom.ledger.commit(start);
        return start.run();
    }

    /**
     * What a claim read of the index, and when.
     *
     * @param began in microseconds of the store's clock
     * @param took in microseconds
     */
    private record Look(long pages, long began, long took) {
        /** Whether the look after this one is short as well: all are, for twenty times as long as the dear one took. */
        boolean isWellWithinTheTimeOf(Look dear) {
            return began - dear.began < Math.min(5_000_000, 10 * dear.took);
        }
    }

    private Look latestLook() {
        String[] noted = database.read(
                        "SELECT pages || ' ' || began || ' ' || took FROM perdure.look ORDER BY number DESC LIMIT 1")
                .split(" ", -1);
        return new Look(Long.parseLong(noted[0]), Long.parseLong(noted[1]), Long.parseLong(noted[2]));
    }

    private Look lookInVain() {
        assertThat(claim().runs()).isEmpty();
        return latestLook();
    }

    private Look lookFor(RunId run) {
        assertThat(claim().runs()).extracting(Claimed.ClaimedRun::run).containsExactly(run);
        return latestLook();
    }

    @Test
    void claim_afterOneThatReadManyDeadEntries_readsFewPages() throws SQLException {
        try (Connection elsewhere = database.session();
                Statement holding = elsewhere.createStatement()) {
            elsewhere.setAutoCommit(false);
            elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holding.execute("SELECT count(*) FROM perdure.run");
            database.run(OVER);

            Look dear = lookInVain();
            assertThat(dear.pages()).as("pages of the first look").isGreaterThan(200);
            Look second = lookFor(started("first"));
            Look third = lookForNext();
            // Where the machine stood still meanwhile, the time of short looks may be over: then again, from the next
            // dear one.
            for (int time = 1; !third.isWellWithinTheTimeOf(dear); time++) {
                assertThat(second.pages())
                        .as("pages of the look after a dear one")
                        .isLessThan(30);
                dear = dearLook();
                second = lookFor(started("again " + time));
                third = lookForNext();
            }

            assertThat(second.pages()).as("pages of the second look").isLessThan(30);
            assertThat(third.pages()).as("pages of the third look").isLessThan(30);
            elsewhere.rollback();
        }
    }

    private Look lookForNext() {
        assertThat(claim().nextReady()).isNotNull();
        return latestLook();
    }

    /** Looks until looks are short no more. */
    private Look dearLook() {
        Look look = lookInVain();
        while (look.pages() <= 200) {
            look = lookInVain();
        }
        return look;
    }

    /** To find out when the next run is due would take as long as the look. */
    @Test
    void claim_thatReadManyDeadEntries_readsThemOnce() throws SQLException {
        try (Connection elsewhere = database.session();
                Statement holding = elsewhere.createStatement()) {
            elsewhere.setAutoCommit(false);
            elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holding.execute("SELECT count(*) FROM perdure.run");
            database.run(OVER);

            Look dear = lookInVain();
            assertThat(dear.pages()).as("pages of the look").isGreaterThan(200);
            assertThat(Long.parseLong(database.read("SELECT all_pages::text FROM perdure.look")))
                    .as("pages that the claim read")
                    .isLessThan(dear.pages() + 50);
            elsewhere.rollback();
        }
    }

    /** What a claim itself writes to the index says nothing of dead entries, and must not hide runs from the next ones. */
    @Test
    void claim_ofManyRuns_isNotTakenForALookAtDeadEntries() {
        mailroom.ledger.commitAll(IntStream.range(0, 300)
                .mapToObj(number -> mailroom.start("run " + number, Json.NULL))
                .toList());
        assertThat(claim(Set.of(1), 300).runs()).hasSize(300);
        Look large = latestLook();

        RunId run = started("behind");
        database.run("UPDATE perdure.run_message SET ready_at = ready_at - 3600000000 WHERE token IS NULL");

        assertThat(claim().runs()).extracting(Claimed.ClaimedRun::run).containsExactly(run);
        assertThat(large.pages()).as("pages of the large claim").isLessThan(100);
    }

    /** Its only place went to a run of version 2, which comes first. */
    @Test
    void claim_withoutRoomForAVersion_doesNotHideTheRunsOfThatVersion() throws SQLException {
        try (Connection elsewhere = database.session();
                Statement holding = elsewhere.createStatement()) {
            elsewhere.setAutoCommit(false);
            elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holding.execute("SELECT count(*) FROM perdure.run");
            database.run(OVER.replace("onboard@1", "onboard@2"));
            RunId newer = started("newer");
            database.run("UPDATE perdure.run_message SET queue = '__wf_onboard@2'");
            RunId older = started("older");
            database.run(
                    "UPDATE perdure.run_message SET ready_at = ready_at - 60000000 WHERE queue = '__wf_onboard@1'");

            assertThat(claim(Set.of(1, 2), 1).runs())
                    .extracting(Claimed.ClaimedRun::run)
                    .containsExactly(newer);
            assertThat(latestLook().pages()).as("pages of the first look").isGreaterThan(200);

            assertThat(claim(Set.of(1, 2), 1).runs())
                    .extracting(Claimed.ClaimedRun::run)
                    .containsExactly(older);
            elsewhere.rollback();
        }
    }

    /** A claim that may take no lapsed runs steps over them. The next ones must not begin behind them. */
    @Test
    void claim_afterADearOneThatTookNoLapsedRuns_findsALapsedRun() throws SQLException {
        try (Connection elsewhere = database.session();
                Statement holding = elsewhere.createStatement()) {
            elsewhere.setAutoCommit(false);
            elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holding.execute("SELECT count(*) FROM perdure.run");
            RunId run = started("lapsed");
            database.run(
                    OVER.replace("DELETE FROM perdure.run_message", "DELETE FROM perdure.run_message WHERE run <> '%s'")
                            .formatted(run.value()));
            database.run("UPDATE perdure.run_message SET token = gen_random_uuid(), lease_micros = 10000000,"
                    + " ready_at = ready_at - 3600000000");
            assertThat(claim(Set.of(1), 10, Instant.EPOCH).runs()).isEmpty();
            assertThat(latestLook().pages()).as("pages of the first look").isGreaterThan(200);

            lookFor(run);

            elsewhere.rollback();
        }
    }

    /** It was due long before: a slow commit, for example. */
    @Test
    void claim_whileLooksAreShort_findsARunBehindThemInAWhile() throws SQLException {
        try (Connection elsewhere = database.session();
                Statement holding = elsewhere.createStatement()) {
            elsewhere.setAutoCommit(false);
            elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holding.execute("SELECT count(*) FROM perdure.run");
            database.run(OVER);
            assertThat(claim().runs()).isEmpty();
            RunId run = started("behind");
            database.run("UPDATE perdure.run_message SET ready_at = ready_at - 3600000000");

            List<Claimed.ClaimedRun> found = List.of();
            while (found.isEmpty()) {
                found = claim().runs();
            }

            assertThat(found).extracting(Claimed.ClaimedRun::run).containsExactly(run);
            elsewhere.rollback();
        }
    }
}
