package io.perdure.postgres;

import static io.perdure.postgres.SharedServer.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.postgres.CuttingProxy.Cut;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class CuttingProxyTest {
    private final PrivatePostgres server = SharedServer.get();
    private final CuttingProxy proxy = CuttingProxy.inFrontOf(server.port());

    @BeforeEach
    void makeTheTable() {
        server.execute("drop table if exists t");
        server.execute("create table t (n int)");
    }

    @AfterEach
    void closeTheProxy() {
        proxy.close();
    }

    @Test
    void carriesEverythingElse() throws SQLException {
        proxy.cutNext("nobody says this", Cut.BEFORE_SERVER);
        try (Connection connection = DriverManager.getConnection(proxy.url())) {
            insert(connection, 1);
            assertThat(ask(connection, "select repeat('x', 1000000)")).hasSize(1_000_000);
            assertThatThrownBy(() -> ask(connection, "select 1/0")).hasMessageContaining("division by zero");
            assertThat(ask(connection, "select count(*) from t")).isEqualTo("1");
        }
        assertThat(proxy.cuts()).isZero();
    }

    @Test
    void answersAClientThatAsksForEncryption() throws SQLException {
        String url = proxy.url().replace("disable", "prefer");

        assertThat(ask(url, "select 1")).isEqualTo("1");
    }

    @Test
    void beforeServerTheRowIsAbsent() throws SQLException {
        insertAndLose(Cut.BEFORE_SERVER);

        assertThat(rows()).isEqualTo("0");
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @Test
    void duringTheRowIsThereOnceOrNot() throws SQLException {
        insertAndLose(Cut.DURING);

        assertThat(rows()).isIn("0", "1");
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @Test
    void afterCommitTheRowIsThereThoughTheClientGotAnError() throws SQLException {
        insertAndLose(Cut.AFTER_COMMIT);

        assertThat(rows()).isEqualTo("1");
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @Test
    void aDelayedRowComesOnlyWhenReleased() throws SQLException {
        insertAndLose(Cut.DELAY);

        assertThat(rows()).isEqualTo("0");
        assertThat(proxy.cuts()).isEqualTo(1);

        proxy.release();

        assertThat(rows()).isEqualTo("1");
        assertThatThrownBy(proxy::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("No request is held back.");
    }

    @Test
    void aDelayedRequestWhoseSessionIsGoneCannotBeReleased() throws SQLException {
        insertAndLose(Cut.DELAY);
        server.crash();
        server.restart();

        assertThatThrownBy(proxy::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The server was gone");
        assertThat(rows()).isEqualTo("0");
    }

    @Test
    void aStatementPreparedLongAgoIsRecognized() throws SQLException {
        try (Connection connection = DriverManager.getConnection(proxy.url() + "&prepareThreshold=1");
                PreparedStatement insert = connection.prepareStatement("insert into t values (?)")) {
            for (int n = 0; n < 10; n++) {
                insert.setInt(1, n);
                insert.executeUpdate();
            }
            proxy.cutNext("insert into t", Cut.AFTER_COMMIT);

            assertThatThrownBy(insert::executeUpdate).isInstanceOf(SQLException.class);
        }
        assertThat(rows()).isEqualTo("11");
    }

    @Test
    void aCommitCanBeCutFromTheRestOfItsTransaction() throws SQLException {
        try (Connection connection = DriverManager.getConnection(proxy.url())) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            proxy.cutNext("COMMIT", Cut.BEFORE_SERVER);

            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        assertThat(rows()).isEqualTo("0");
    }

    @Test
    void oneCutIsGoodForOneRequest() throws SQLException {
        proxy.cutNext("insert", Cut.AFTER_COMMIT);
        proxy.cutNext("insert", Cut.BEFORE_SERVER);
        for (int attempt = 0; attempt < 2; attempt++) {
            try (Connection connection = DriverManager.getConnection(proxy.url())) {
                assertThatThrownBy(() -> insert(connection, 1)).isInstanceOf(SQLException.class);
            }
        }
        try (Connection connection = DriverManager.getConnection(proxy.url())) {
            insert(connection, 1);
        }
        assertThat(rows()).isEqualTo("2");
        assertThat(proxy.cuts()).isEqualTo(2);
    }

    @Test
    void aClosedProxyLetsNobodyThrough() throws SQLException {
        try (Connection connection = DriverManager.getConnection(proxy.url())) {
            proxy.close();

            assertThatThrownBy(() -> insert(connection, 1)).isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(() -> DriverManager.getConnection(proxy.url())).isInstanceOf(SQLException.class);
        assertThat(rows()).isEqualTo("0");
    }

    private void insertAndLose(Cut when) throws SQLException {
        proxy.cutNext("insert into t", when);
        try (Connection connection = DriverManager.getConnection(proxy.url())) {
            assertThatThrownBy(() -> insert(connection, 1)).isInstanceOf(SQLException.class);
            assertThat(connection.isValid(1)).isFalse();
        }
    }

    private static void insert(Connection connection, int n) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("insert into t values (" + n + ")");
        }
    }

    /** Past the proxy. */
    private String rows() throws SQLException {
        return ask(server.url(), "select count(*) from t");
    }
}
