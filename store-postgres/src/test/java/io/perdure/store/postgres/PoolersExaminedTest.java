package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Finding.Level;
import io.perdure.postgres.PgBouncer;
import io.perdure.sdk.environment.SystemEnvironment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is found out about a pooler in each of its modes: with PgBouncer, or not at all where it is not installed. */
class PoolersExaminedTest {
    private static final String TOLD = "&perdure.pooler=transaction";

    private final FreshDatabase database = new FreshDatabase();

    @BeforeEach
    void migrate() {
        new Migrations(database.url()).apply();
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private static List<PgBouncer> poolers(Map<String, String> settings) {
        return PgBouncer.inFrontOf(TestPostgres.server(), settings).stream().toList();
    }

    static List<PgBouncer> inTransactionMode() {
        return poolers(Map.of());
    }

    static List<PgBouncer> inSessionMode() {
        return poolers(Map.of("pool_mode", "session"));
    }

    static List<PgBouncer> inStatementMode() {
        return poolers(Map.of("pool_mode", "statement"));
    }

    static List<PgBouncer> refusingOptions() {
        return poolers(Map.of("ignore_startup_parameters", "extra_float_digits"));
    }

    /** All but that the server does not wait for its disk. */
    private List<Finding> problems(PgBouncer pooler, String parameters) {
        return new PostgresProvider()
                .examine(pooler.url(database.name()) + parameters, new SystemEnvironment()).stream()
                        .filter(finding -> finding.level() == Level.PROBLEM
                                && !finding.about().equals("durability"))
                        .toList();
    }

    private void assertIsFoundUnlessTold(PgBouncer pooler) {
        assertThat(problems(pooler, "")).singleElement().satisfies(finding -> {
            assertThat(finding.about()).isEqualTo("pooler");
            assertThat(finding.advice()).contains("perdure.pooler=transaction");
        });
        assertThat(problems(pooler, TOLD)).isEmpty();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("inTransactionMode")
    void aPoolerThatTheUrlDoesNotTellOfIsAProblem(PgBouncer pooler) {
        try (pooler) {
            assertIsFoundUnlessTold(pooler);
        }
    }

    /** It drops what is said in the first packet in this mode, too. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("inSessionMode")
    void soIsOneInSessionMode(PgBouncer pooler) {
        try (pooler) {
            assertIsFoundUnlessTold(pooler);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("refusingOptions")
    void onePutOffByOurFirstPacketIsToldByItsWords(PgBouncer pooler) {
        try (pooler) {
            assertThat(problems(pooler, "")).singleElement().satisfies(finding -> {
                assertThat(finding.about()).isEqualTo("store");
                assertThat(finding.found()).contains("startup parameter");
                assertThat(finding.advice()).contains("perdure.pooler=transaction");
            });
            assertThat(problems(pooler, TOLD)).isEmpty();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("inStatementMode")
    void statementModeIsAProblemWhateverTheUrlTells(PgBouncer pooler) {
        try (pooler) {
            assertThat(problems(pooler, TOLD)).singleElement().satisfies(finding -> {
                assertThat(finding.about()).isEqualTo("pooler");
                assertThat(finding.advice()).contains("transaction mode");
            });
            assertThat(problems(pooler, "")).isNotEmpty();
        }
    }
}
