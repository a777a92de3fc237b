package io.perdure.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
final class PgBouncerTest {
    /** One, or none where the program is not installed. */
    static List<PgBouncer> bouncers() {
        return PgBouncer.inFrontOf(SharedServer.get()).stream().toList();
    }

    @Test
    void isThereWhereDebianPutsIt() {
        List<PgBouncer> bouncers = bouncers();
        bouncers.forEach(PgBouncer::close);

        // Elsewhere it may be on the path, or missing.
        assertThat(bouncers).hasSizeBetween(Files.isExecutable(Path.of("/usr/sbin/pgbouncer")) ? 1 : 0, 1);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("bouncers")
    void sharesASessionBetweenTransactions(PgBouncer bouncer) throws SQLException {
        try (Connection one = DriverManager.getConnection(bouncer.url());
                Connection other = DriverManager.getConnection(bouncer.url())) {
            String session = SharedServer.ask(one, "select pg_backend_pid()");

            assertThat(SharedServer.ask(other, "select pg_backend_pid()")).isEqualTo(session);
            one.setAutoCommit(false);
            assertThat(SharedServer.ask(one, "select pg_backend_pid()")).isEqualTo(session);
            assertThat(SharedServer.ask(other, "select pg_backend_pid()")).isNotEqualTo(session);
            one.commit();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("bouncers")
    void answersNobodyWhenClosed(PgBouncer bouncer) {
        bouncer.close();
        bouncer.close();

        assertThatThrownBy(() -> SharedServer.ask(bouncer.url(), "select 1")).isInstanceOf(SQLException.class);
    }
}
