package io.perdure.postgres;

import static io.perdure.postgres.SharedServer.ask;
import static io.perdure.postgres.SharedServer.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class PrivatePostgresTest {
    private final PrivatePostgres server = SharedServer.get();

    @Test
    void answersThroughTheDriver() throws SQLException {
        assertThat(server.url()).isEqualTo("jdbc:postgresql://127.0.0.1:" + server.port() + "/perdure?user=perdure");
        assertThat(ask(server.url(), "show server_version")).startsWith(server.majorVersion() + ".");
    }

    @Test
    void hasTheSettingsItWasGivenAndItsOwn() throws SQLException {
        assertThat(ask(server.url(), "show fsync")).isEqualTo("off");
        assertThat(ask(server.url(), "show max_connections")).isEqualTo("200");
        assertThat(ask(server.url(), "show server_encoding")).isEqualTo("UTF8");
        assertThat(ask(server.url(), "show listen_addresses")).isEqualTo("127.0.0.1");
    }

    @Test
    void createsADatabaseOnce() throws SQLException {
        update(server.url("another"), "create table here (n int)");

        assertThat(ask(server.url("another"), "select count(*) from here")).isEqualTo("0");
        assertThatThrownBy(() -> ask(server.url(), "select count(*) from here")).isInstanceOf(SQLException.class);
    }

    @Test
    void refusesNamesThatItCannotTake() {
        assertThatThrownBy(() -> server.url("Robert'); --"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Robert'); --");
        assertThatThrownBy(() -> PrivatePostgres.start(PostgresBinaries.bundled(), Map.of("port", "5432")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"port\"");
    }

    @Test
    void runsAStatementWithoutADriver() throws SQLException {
        server.execute("create table plain as select 'grün'::text as colour");

        assertThat(ask(server.url(), "select colour from plain")).isEqualTo("grün");
        assertThatThrownBy(() -> server.execute("select 1/0"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Postgres answered 22012: division by zero");
    }

    @Test
    void keepsCommittedRowsOverACrash() throws SQLException {
        update(server.url(), "create table kept (n int)");
        try (Connection connection = DriverManager.getConnection(server.url())) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("insert into kept values (1), (2)");
            connection.commit();
            connection.createStatement().execute("insert into kept values (3)");
            server.crash();

            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(() -> ask(server.url(), "select 1")).isInstanceOf(SQLException.class);

        server.restart();

        assertThat(ask(server.url(), "select string_agg(n::text, ',' order by n) from kept"))
                .isEqualTo("1,2");
    }

    @Test
    void keepsEverythingOverAStop() throws SQLException {
        update(server.url(), "create table stopped as select 1 as n");
        server.stop();
        server.restart();

        assertThat(ask(server.url(), "select n from stopped")).isEqualTo("1");
    }

    @Test
    void answersWhatWasAskedWhilePausedWhenItIsResumed() throws Exception {
        try (Connection connection = DriverManager.getConnection(server.url())) {
            FutureTask<String> answer = new FutureTask<>(() -> ask(connection, "select 'late'"));
            server.pause();
            try {
                Thread.ofVirtual().start(answer);
                // However long one waits: the half second only gives a pause that does not work its chance to show.
                assertThatThrownBy(() -> answer.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            } finally {
                server.resume();
            }
            assertThat(answer.get()).isEqualTo("late");
        }
    }

    @Test
    void crashesAlsoWhilePaused() throws SQLException {
        server.pause();
        server.crash();
        assertThatThrownBy(server::pause).isInstanceOf(IllegalStateException.class);
        server.restart();

        assertThat(ask(server.url(), "select 1")).isEqualTo("1");
    }

    @Test
    void goesWithItsFolderWhenClosed() {
        PrivatePostgres brief = PrivatePostgres.start(PostgresBinaries.bundled(), Map.of());
        assertThat(brief.folder().resolve("data")).isDirectory();

        brief.close();
        brief.close();

        assertThat(brief.folder()).doesNotExist();
        assertThatThrownBy(() -> ask(brief.url(), "select 1")).isInstanceOf(SQLException.class);
        assertThatThrownBy(brief::restart).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void tellsWhatTheServerSaidWhenItDoesNotStart() {
        assertThatThrownBy(() -> PrivatePostgres.start(PostgresBinaries.bundled(), Map.of("no_such_setting", "on")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }
}
