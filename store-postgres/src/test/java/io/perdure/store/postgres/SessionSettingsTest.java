package io.perdure.store.postgres;

import static io.perdure.store.postgres.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionSettingsTest {
    private static final String[] OURS = {"5s", "4s", "10s", "read committed", "read committed", "perdure"};

    private FreshDatabase database = new FreshDatabase();

    @AfterEach
    void drop() {
        database.close();
    }

    private static List<String> settings(Session session) throws SQLException {
        return session.list("""
                SELECT current_setting(name) FROM unnest(ARRAY['statement_timeout', 'lock_timeout',
                    'idle_in_transaction_session_timeout', 'default_transaction_isolation', 'transaction_isolation',
                    'application_name']) name""", row -> row.text(1));
    }

    private static String shown(Session session, String setting) throws SQLException {
        return session.first("SHOW " + setting, row -> row.text(1)).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void everyStatementHasOurTimeLimitsWhateverTheServerSays(String pooler) {
        database.run("ALTER DATABASE %1$s SET statement_timeout = 7000; ALTER DATABASE %1$s SET lock_timeout = 1;"
                        .formatted(database.name())
                + "ALTER DATABASE %s SET default_transaction_isolation = 'serializable'".formatted(database.name()));

        try (Connections connections = Connections.to(database.url("perdure.pooler=" + pooler))) {
            assertThat(connections.<List<String>>read(SessionSettingsTest::settings))
                    .containsExactly(OURS);
            assertThat(connections.<List<String>>write(SessionSettingsTest::settings))
                    .containsExactly(OURS);
            assertThat(connections.<List<String>>transaction(SessionSettingsTest::settings))
                    .containsExactly(OURS);
            assertThat(connections.<List<String>>snapshot(SessionSettingsTest::settings))
                    .containsExactly("5s", "4s", "10s", "read committed", "repeatable read", "perdure");
        }
    }

    @Test
    void behindAPoolerNothingStaysInTheSession() throws SQLException {
        PostgresUrl url = database.url("perdure.pooler=transaction");
        try (Connections connections = Connections.to(url);
                Connection plain = connections.dedicated()) {
            assertThat(settings(new Session(plain, new SchemaName(url.schema()), "")))
                    .startsWith("0", "0", "0", "read committed");
        }
    }

    @Test
    void aDedicatedConnectionHasThemToo() throws SQLException {
        try (Connections connections = Connections.to(database.url());
                Connection plain = connections.dedicated()) {
            assertThat(settings(new Session(plain, new SchemaName("perdure"), "")))
                    .containsExactly(OURS);
        }
    }

    @Test
    void optionsOfTheUrlAreKeptBesideOurs() {
        try (Connections connections =
                Connections.to(database.url("options=-c%20work_mem=7MB%20-c%20statement_timeout=1"))) {
            assertThat(connections.<List<String>>read(SessionSettingsTest::settings))
                    .containsExactly(OURS);
            String memory = connections.read(session -> shown(session, "work_mem"));
            assertThat(memory).isEqualTo("7MB");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "off, none, on",
        "local, none, local",
        "remote_write, none, remote_write",
        "on, none, on",
        "remote_apply, none, remote_apply",
        "off, transaction, on",
        "remote_apply, transaction, remote_apply",
    })
    void whatIsAcknowledgedIsOnTheDisk(String server, String pooler, String ours) throws SQLException {
        database.run("ALTER DATABASE %s SET synchronous_commit = %s".formatted(database.name(), server));

        try (Connections connections = Connections.to(database.url("perdure.pooler=" + pooler))) {
            String inTransaction = connections.transaction(session -> shown(session, "synchronous_commit"));
            String alone = connections.write(session -> shown(session, "synchronous_commit"));
            assertThat(inTransaction).isEqualTo(ours);
            assertThat(alone).isEqualTo(ours);
        }
    }

    @Test
    void statementsArePreparedOnTheServerAtOnceButNotBehindAPooler() {
        String prepared = "SELECT count(*) FROM pg_prepared_statements";
        try (Connections direct = Connections.to(database.url());
                Connections pooled = Connections.to(database.url("perdure.pooler=transaction"))) {
            direct.read(session -> session.number("SELECT 1"));
            pooled.read(session -> session.number("SELECT 1"));
            assertThat(direct.<Long>read(session -> session.number(prepared))).isPositive();
            assertThat(pooled.<Long>read(session -> session.number(prepared))).isZero();
        }
    }

    @Test
    void aReadOnlyServerIsNamedAStandby() {
        database.run("ALTER DATABASE %s SET default_transaction_read_only = on".formatted(database.name()));

        try (Connections connections = Connections.to(database.url())) {
            refuses(
                            () -> connections.write(session -> session.update("CREATE TABLE x ()")),
                            ErrorCode.STORE_UNREACHABLE)
                    .hasMessageContaining("is a standby");
        }
    }

    @Test
    void whatCannotBeConnectedToSaysWhy() {
        String text = database.text().replace(database.name(), "nowhere");
        refuses(() -> Pools.connect(PostgresUrl.parse(text)), ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining("The database \"nowhere\" on ")
                .hasMessageContaining("does not exist");

        refuses(
                        () -> Pools.connect(PostgresUrl.parse("postgres://me:secret@127.0.0.1:1/app")),
                        ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining("on 127.0.0.1:1 cannot be reached")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"connectTimeout=soon", "prepareThreshold=x", "sslmode=maybe", "targetServerType=any_one"})
    void aParameterThatTheDriverRefusesIsABadUrl(String parameter) {
        refuses(() -> Pools.connect(database.url(parameter)), ErrorCode.STORE_URL)
                .hasMessageContaining(parameter.replaceFirst(".*=", ""));
    }
}
