package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Lease;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Claim.Served;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** There are more dead entries than one statement can step over: claims take what is due even while no look at a whole line succeeds. */
@Timeout(180)
final class TimedOutClaimsTest {
    /** Looks at a whole line take longer than a statement may, and are counted. */
    private static final String ENDLESS = """
            CREATE SEQUENCE perdure.whole_look START 1 MINVALUE 0;
            SELECT setval('perdure.whole_look', 0);
            ALTER FUNCTION perdure.claim_2 RENAME TO claim_2_itself;
            CREATE FUNCTION perdure.claim_2(text, text[], integer[], text[], integer, uuid, bigint, bigint, bigint[])
            RETURNS TABLE (run uuid, line integer, lapses integer, leased_until bigint, next_ready bigint, now bigint,
                           first_ready bigint[], took bigint, pages bigint) LANGUAGE plpgsql AS $$
            BEGIN
                IF -1 = ANY ($9) THEN
                    PERFORM nextval('perdure.whole_look');
                    PERFORM pg_sleep(6);
                END IF;
                RETURN QUERY SELECT * FROM perdure.claim_2_itself($1, $2, $3, $4, $5, $6, $7, $8, $9);
            END $$""";

    /** As if looks had read many pages. */
    private static final String DEAR = """
            ALTER FUNCTION perdure.claim_2 RENAME TO claim_2_cheap;
            CREATE FUNCTION perdure.claim_2(text, text[], integer[], text[], integer, uuid, bigint, bigint, bigint[])
            RETURNS TABLE (run uuid, line integer, lapses integer, leased_until bigint, next_ready bigint, now bigint,
                           first_ready bigint[], took bigint, pages bigint) LANGUAGE sql AS $$
                SELECT run, line, lapses, leased_until, next_ready, now, first_ready, took, 1000
                FROM perdure.claim_2_cheap($1, $2, $3, $4, $5, $6, $7, $8, $9)
            $$""";

    private final FreshDatabase database = new FreshDatabase();
    private final Mailroom mailroom = Mailroom.at(database.text());

    @AfterEach
    void close() {
        try (database) {
            mailroom.close();
        }
    }

    private List<RunId> claimed() {
        return mailroom
                .store
                .claim(new ClaimRuns(
                        Mailroom.TENANT,
                        List.of(new Served(Mailroom.WORKFLOW, Set.of(1))),
                        10,
                        new Lease(mailroom.environment.ids().token(), Mailroom.LONG)))
                .runs()
                .stream()
                .map(Claimed.ClaimedRun::run)
                .toList();
    }

    private RunId started(String key) {
        Start start = mailroom.start(key, Json.NULL);
        mailroom.ledger.commit(start);
        return start.run();
    }

    private String wholeLooks() {
        return database.read("SELECT last_value::text FROM perdure.whole_look");
    }

    @Test
    void claim_ofAProcessWhoseFirstLookTimesOut_takesARunThatIsDue() {
        database.run(ENDLESS);
        RunId first = started("first");
        assertThat(claimed()).containsExactly(first);

        RunId second = started("second");
        assertThat(claimed()).containsExactly(second);
        assertThat(wholeLooks()).isEqualTo("1");
    }

    @Test
    void claim_whoseWholeLookTimesOutAfterShortOnes_takesARunThatIsDue() {
        database.run(DEAR);
        assertThat(claimed()).isEmpty();
        database.run(ENDLESS);
        while (wholeLooks().equals("0")) {
            assertThat(claimed()).isEmpty();
        }

        RunId run = started("due");
        assertThat(claimed()).containsExactly(run);
        assertThat(wholeLooks()).isEqualTo("1");
    }

    /** It became due while no process claimed. */
    @Test
    void claim_whileWholeLooksTimeOut_takesARunThatWasDueLongBeforeInAWhile() {
        database.run(ENDLESS);
        RunId run = started("behind");
        database.run("UPDATE perdure.run_message SET ready_at = ready_at - 600000000");
        List<RunId> found = claimed();
        while (found.isEmpty()) {
            found = claimed();
        }

        assertThat(found).containsExactly(run);
    }
}
