package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host name that leads to a read-only server for a moment, as while a standby takes over. */
@Timeout(120)
final class FailoverTest {
    private static final Workflow<Integer, Integer> DOUBLE =
            Workflow.named("double").version(1).run(Integer.class, Integer.class, (_, number) -> 2 * number);

    private static final Duration FOUND_WITHIN = Duration.ofSeconds(20);

    private final FreshDatabase database = new FreshDatabase();

    @AfterEach
    void drop() {
        writable();
        database.close();
    }

    /** Sessions that are opened from now on cannot write, for as long as they live; there are no others. */
    private void readOnly() {
        TestPostgres.server().execute("ALTER DATABASE " + database.name() + " SET default_transaction_read_only = on");
        cut();
    }

    private void writable() {
        TestPostgres.server().execute("ALTER DATABASE " + database.name() + " RESET default_transaction_read_only");
    }

    private void cut() {
        TestPostgres.server()
                .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database.name()
                        + "'");
    }

    private Perdure engine(Duration patience, String... parameters) {
        return Perdure.open(database.text(parameters), Mailroom.options(patience))
                .register(DOUBLE)
                .start();
    }

    @Test
    void start_afterServerWasReadOnly_succeedsOnceAWritableServerAnswers() {
        try (Perdure perdure = again(() -> engine(Duration.ofMillis(300)))) {
            assertThat(again(() -> doubled(perdure, 1))).isEqualTo(2);
            readOnly();
            for (int time = 0; time < 2; time++) {
                StoreException refused = catchThrowableOfType(
                        StoreException.class, () -> perdure.start(DOUBLE, 2, StartOptions.defaults()));
                assertThat(refused.code())
                        .isIn(
                                ErrorCode.STORE_UNREACHABLE,
                                ErrorCode.OUTCOME_UNKNOWN,
                                ErrorCode.STORE_BUSY,
                                ErrorCode.STORE_FAILED);
            }

            writable();

            assertThat(again(() -> doubled(perdure, 3))).isEqualTo(6);
        }
    }

    private static int doubled(Perdure perdure, int number) {
        return perdure.start(DOUBLE, number, StartOptions.defaults()).result(Duration.ofSeconds(30));
    }

    /** Tries again while no connection is found: to open one may take longer than the engine has patience. */
    private static <T> T again(Supplier<T> call) {
        long began = System.nanoTime();
        while (true) {
            try {
                return call.get();
            } catch (StoreException e) {
                assertThat(e.code()).isIn(ErrorCode.STORE_UNREACHABLE, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.STORE_BUSY);
                if (System.nanoTime() - began > FOUND_WITHIN.toNanos()) {
                    throw e;
                }
            }
        }
    }

    /** As if the primary had been demoted under an open session. A session that rested is looked at before it is lent, so the error may not even come. */
    @Test
    void write_afterItsSessionBecameReadOnly_failsOnceAtMost() {
        try (Connections connections = Connections.to(database.url())) {
            connections.write(session -> session.update("SET default_transaction_read_only = on"));
            List<ErrorCode> refusals = new ArrayList<>();
            boolean written = false;
            while (!written && refusals.size() < 3) {
                try {
                    connections.write(session -> session.update("CREATE TABLE written (number integer)"));
                    written = true;
                } catch (StoreException e) {
                    refusals.add(e.code());
                }
            }

            assertThat(refusals).hasSizeLessThan(2).allMatch(ErrorCode.STORE_UNREACHABLE::equals);
            assertThat(database.read("SELECT count(*)::text FROM written")).isEqualTo("0");
        }
    }

    /** Otherwise a close cuts connections to a server that answers. */
    @Test
    void isStuck_longAfterAnOutage_isFalse() {
        try (Connections connections = Connections.to(database.url())) {
            readOnly();
            Refusal.refuses(() -> connections.read(session -> session.number("SELECT 1")), ErrorCode.STORE_UNREACHABLE);
            assertThat(connections.isStuck(Duration.ofMinutes(5))).isTrue();

            // Nobody asks for a connection meanwhile.
            while (connections.isStuck(Duration.ofMillis(100))) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void read_afterServerWasReadOnly_leavesTheSessionsOfThatServer() {
        try (Connections connections = Connections.to(database.url())) {
            connections.read(session -> session.number("SELECT 1"));
            readOnly();

            Refusal.refuses(() -> connections.read(session -> session.number("SELECT 1")), ErrorCode.STORE_UNREACHABLE)
                    .hasMessageContaining("is a standby, or was made read-only")
                    .hasMessageContaining("SQLSTATE 25006");
        }
    }
}
