package io.perdure.store.postgres;

import static io.perdure.store.postgres.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionsTest {
    private static final String INSERT = "INSERT INTO note VALUES (?)";
    private static final String COUNT = "SELECT count(*) FROM note";
    private static final String SUICIDE = "SELECT pg_terminate_backend(pg_backend_pid())::int";

    private FreshDatabase database = new FreshDatabase();

    @BeforeEach
    void create() {
        database.run("CREATE TABLE note (id int PRIMARY KEY)");
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private Connections connections(String... parameters) {
        return Connections.to(database.url(parameters));
    }

    private static long count(Connections connections) {
        return connections.read(session -> session.number(COUNT));
    }

    private static int insert(Session session, int id) throws SQLException {
        return session.update(INSERT, id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void aTransactionIsKeptWhole(String pooler) {
        try (Connections connections = connections("perdure.pooler=" + pooler)) {
            long seen = connections.transaction(session -> {
                insert(session, 1);
                insert(session, 2);
                return session.number(COUNT);
            });

            assertThat(seen).isEqualTo(2);
            assertThat(count(connections)).isEqualTo(2);
            assertThat(connections.<Integer>write(session -> insert(session, 3)))
                    .isEqualTo(1);
            assertThat(count(connections)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void aTransactionThatFailsLeavesNothing(String pooler) {
        try (Connections connections = connections("perdure.pooler=" + pooler, "perdure.connections=2")) {
            for (int time = 0; time < 3; time++) {
                assertThatThrownBy(() -> connections.transaction(session -> {
                            insert(session, 1);
                            throw new IllegalStateException("the work's own");
                        }))
                        .hasMessage("the work's own");
                refuses(
                                () -> connections.transaction(session -> insert(session, 1) + insert(session, 1)),
                                ErrorCode.STORE_FAILED)
                        .hasMessageContaining("note_pkey")
                        .hasMessageContaining("SQLSTATE 23505");
            }

            assertThat(count(connections)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void aSnapshotIsOfOneMomentAndCannotWrite(String pooler) {
        try (Connections connections = connections("perdure.pooler=" + pooler)) {
            long later = connections.snapshot(session -> {
                session.number(COUNT);
                connections.write(other -> insert(other, 1));
                return session.number(COUNT);
            });

            assertThat(later).isZero();
            refuses(() -> connections.snapshot(session -> insert(session, 2)), ErrorCode.STORE_UNREACHABLE)
                    .hasMessageContaining("SQLSTATE 25006");
            assertThat(count(connections)).isEqualTo(1);
        }
    }

    @Test
    void aReadWhoseConnectionIsLostIsRunAgain() {
        AtomicInteger times = new AtomicInteger();
        try (Connections connections = connections()) {
            long answer =
                    connections.read(session -> session.number(times.incrementAndGet() == 1 ? SUICIDE : "SELECT 7"));

            assertThat(answer).isEqualTo(7);
            assertThat(times).hasValue(2);
        }
    }

    /** The first time from before, then in the middle: the socket is closed under a virtual thread. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void anInterruptedReaderGetsItsAnswerAndKeepsItsFlag(String pooler) throws InterruptedException {
        AtomicInteger times = new AtomicInteger();
        AtomicLong answer = new AtomicLong();
        AtomicBoolean flag = new AtomicBoolean();
        try (Connections connections = connections("perdure.pooler=" + pooler)) {
            Thread reader = Thread.ofVirtual().unstarted(() -> {
                Thread.currentThread().interrupt();
                answer.set(connections.read(session -> {
                    if (times.incrementAndGet() == 1) {
                        Thread.currentThread().interrupt();
                    }
                    return session.number("SELECT 7 FROM pg_sleep(0.05)");
                }));
                flag.set(Thread.currentThread().isInterrupted());
            });
            reader.start();
            reader.join();

            assertThat(answer).hasValue(7);
            assertThat(flag).isTrue();
            assertThat(times).hasValueGreaterThan(1);
        }
    }

    @Test
    void anInterruptedWriterThatWroteNothingWritesOnce() throws InterruptedException {
        AtomicBoolean flag = new AtomicBoolean();
        try (Connections connections = connections()) {
            Thread writer = Thread.ofVirtual().unstarted(() -> {
                Thread.currentThread().interrupt();
                connections.write(session -> insert(session, 1));
                flag.set(Thread.currentThread().isInterrupted());
            });
            writer.start();
            writer.join();

            assertThat(flag).isTrue();
            assertThat(count(connections)).isEqualTo(1);
        }
    }

    @Test
    void aReadThatIsLostAgainIsUnreachable() {
        AtomicInteger times = new AtomicInteger();
        try (Connections connections = connections()) {
            refuses(
                            () -> connections.read(session -> {
                                times.incrementAndGet();
                                return session.number(SUICIDE);
                            }),
                            ErrorCode.STORE_UNREACHABLE)
                    .hasMessageContaining("terminating connection");
            assertThat(times).hasValue(2);
            assertThat(count(connections)).isZero();
        }
    }

    @Test
    void aWriteWhoseConnectionIsLostIsUnknownAndNotRunAgain() {
        AtomicInteger times = new AtomicInteger();
        try (Connections connections = connections()) {
            refuses(
                    () -> connections.write(session -> {
                        times.incrementAndGet();
                        return session.number(SUICIDE);
                    }),
                    ErrorCode.OUTCOME_UNKNOWN);
            assertThat(times).hasValue(1);
            assertThat(count(connections)).isZero();
        }
    }

    @Test
    void aTransactionThatIsLostBeforeItsCommitHasNotHappened() {
        try (Connections connections = connections()) {
            refuses(
                    () -> connections.transaction(session -> insert(session, 1) + session.number(SUICIDE)),
                    ErrorCode.STORE_UNREACHABLE);
            assertThat(count(connections)).isZero();
        }
    }

    /** The trigger runs inside of COMMIT. */
    @Test
    void aTransactionThatIsLostInItsCommitIsUnknown() {
        database.run("""
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER die AFTER INSERT ON note DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION die()""");
        try (Connections connections = connections()) {
            refuses(() -> connections.transaction(session -> insert(session, 1)), ErrorCode.OUTCOME_UNKNOWN);
            assertThat(count(connections)).isZero();
        }
    }

    @Test
    void aCommitThatTheServerRefusedIsCertain() {
        database.run("ALTER TABLE note ADD CONSTRAINT one UNIQUE (id) DEFERRABLE INITIALLY DEFERRED;"
                + "ALTER TABLE note DROP CONSTRAINT note_pkey");
        try (Connections connections = connections()) {
            refuses(
                    () -> connections.transaction(session -> insert(session, 1) + insert(session, 1)),
                    ErrorCode.STORE_FAILED);
            assertThat(count(connections)).isZero();
        }
    }

    /** As after a restart of the server: the pool finds none of its connections alive. */
    @Test
    void afterAllConnectionsDiedTheNextCallsSucceed() {
        try (Connections connections = connections("perdure.connections=4")) {
            connections.read(one -> connections.read(two -> connections.read(three -> three.number("SELECT 1"))));
            database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()");

            for (int time = 0; time < 5; time++) {
                assertThat(count(connections)).isZero();
            }
        }
    }

    @Test
    void aLockThatIsHeldTooLongIsBusy() {
        try (Connections connections = connections()) {
            connections.transaction(holder -> {
                holder.update("LOCK TABLE note");
                refuses(
                                () -> connections.transaction(other -> {
                                    other.update("SET LOCAL lock_timeout = 20");
                                    return insert(other, 1);
                                }),
                                ErrorCode.STORE_BUSY)
                        .hasMessageContaining("SQLSTATE 55P03");
                return holder.number("SELECT 1");
            });
        }
    }

    @Test
    void aSlowStatementIsBusy() {
        try (Connections connections = connections()) {
            refuses(
                            () -> connections.transaction(session -> {
                                session.update("SET LOCAL statement_timeout = 20");
                                return session.number("SELECT 1 FROM pg_sleep(10)");
                            }),
                            ErrorCode.STORE_BUSY)
                    .hasMessageContaining("SQLSTATE 57014");
        }
    }

    @Test
    void whereAllConnectionsAreInUseOthersAreToldSo() {
        try (Connections connections = connections("perdure.connections=2")) {
            refuses(
                            () -> connections.read(one ->
                                    connections.read(two -> connections.read(three -> three.number("SELECT 1")))),
                            ErrorCode.STORE_BUSY)
                    .hasMessageContaining("has all 2 connections that perdure.connections allows in use");
            assertThat(count(connections)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "transaction"})
    void close_duringATransaction_cutsItsConnection(String pooler) {
        Connections connections = connections("perdure.pooler=" + pooler);
        refuses(
                () -> connections.transaction(session -> {
                    insert(session, 1);
                    connections.close();
                    return insert(session, 2);
                }),
                ErrorCode.STORE_UNREACHABLE);
        try (Connections others = connections()) {
            assertThat(count(others)).isZero();
        }
    }

    @Test
    void afterCloseNothingIsDone() {
        Connections connections = connections();
        connections.close();

        refuses(() -> count(connections), ErrorCode.STORE_CLOSED).hasMessageContaining(database.name());
        connections.close();
    }
}
