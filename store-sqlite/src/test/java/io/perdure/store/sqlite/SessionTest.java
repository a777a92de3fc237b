package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many statements a session keeps prepared. */
final class SessionTest {
    private static final int MOST = 512;

    private final List<PreparedStatement> prepared = new ArrayList<>();
    private final Session session;

    SessionTest() throws SQLException {
        session = new Session(noting(DriverManager.getConnection("jdbc:sqlite::memory:")), Path.of("memory"));
    }

    @AfterEach
    void close() {
        session.close();
    }

    /** The same connection, but each statement that it prepares is noted. */
    private Connection noting(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    try {
                        Object answer = method.invoke(real, arguments);
                        if (answer instanceof PreparedStatement statement) {
                            prepared.add(statement);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private long open() throws SQLException {
        long open = 0;
        for (PreparedStatement statement : prepared) {
            open += statement.isClosed() ? 0 : 1;
        }
        return open;
    }

    private long limited(int limit) {
        return session.number("SELECT 7" + Session.limit(limit));
    }

    @Test
    void whateverLimitsAreAskedForSoManyStatementsAreKept() throws SQLException {
        for (int limit = 1; limit <= 3 * MOST; limit++) {
            assertThat(limited(limit)).isEqualTo(7);
        }

        assertThat(prepared).hasSize(3 * MOST);
        assertThat(open()).isEqualTo(MOST);
    }

    @Test
    void whatIsUsedAgainAndAgainStaysPrepared() {
        for (int limit = 1; limit <= 3 * MOST; limit++) {
            limited(limit);
            assertThat(session.number("SELECT 8")).isEqualTo(8);
        }

        assertThat(prepared).hasSize(3 * MOST + 1);
    }

    @Test
    void aResultThatIsBeingReadIsReadToItsEnd() throws SQLException {
        List<Long> rows = session.list("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3", row -> {
            IntStream.rangeClosed(1, MOST).forEach(this::limited);
            return row.integer(1);
        });

        assertThat(rows).containsExactly(1L, 2L, 3L);
        limited(MOST + 1);
        assertThat(open()).isEqualTo(MOST);
    }
}
