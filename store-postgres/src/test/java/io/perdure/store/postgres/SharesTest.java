package io.perdure.store.postgres;

import static io.perdure.store.postgres.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However many callers read and however slowly, commits and claims find a connection. */
@Timeout(60)
final class SharesTest {
    private static final int READERS = 40;
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final FreshDatabase database = new FreshDatabase();
    private final CountDownLatch lastStep = new CountDownLatch(1);

    /** It is started, lets go, is claimed with its history, and goes on. */
    private final Workflow<Integer, Integer> twoSteps = Workflow.named("two_steps")
            .version(1)
            .run(Integer.class, Integer.class, (context, number) -> {
                int doubled = context.step("double", Integer.class, () -> 2 * number);
                context.sleep("rest", MOMENT);
                return context.step("add", Integer.class, () -> {
                    lastStep.countDown();
                    return doubled + 1;
                });
            });

    @AfterEach
    void drop() {
        database.close();
    }

    private static int held(Connections connections, CountDownLatch held, CountDownLatch over) {
        return connections.read(session -> {
            held.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
            return 1;
        });
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "4, 1", "5, 1", "8, 3", "100, 49"})
    void write_whileAllReadConnectionsAreHeld_findsAConnection(int connections, int forReads) throws Exception {
        CountDownLatch held = new CountDownLatch(forReads);
        CountDownLatch over = new CountDownLatch(1);
        try (Connections flushes = Connections.to(database.url("perdure.connections=" + connections));
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            Connections reads = flushes.as(Share.READS).waiting(Duration.ofMinutes(1));
            List<Future<Integer>> answers = new ArrayList<>();
            for (int reader = 0; reader < forReads + READERS; reader++) {
                answers.add(readers.submit(() -> held(reads, held, over)));
            }
            held.await();
            while (reads.inLine() < READERS - connections) {
                LockSupport.parkNanos(MOMENT.toNanos());
            }

            try {
                assertOthersWork(flushes, connections);
            } finally {
                over.countDown();
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(1);
            }
        }
    }

    private static void assertOthersWork(Connections flushes, int connections) {
        assertThat(flushes.<Long>write(session -> session.number("SELECT 7"))).isEqualTo(7);
        assertThat(flushes.as(Share.CLAIMS).<Long>write(session -> session.number("SELECT 8")))
                .isEqualTo(8);
        if (connections > 3) {
            assertThat(flushes.as(Share.CALLS).<Long>write(session -> session.number("SELECT 9")))
                    .isEqualTo(9);
        }
    }

    @Test
    void read_whenItWaitsTooLongInLine_isBusy() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (Connections flushes = Connections.to(database.url("perdure.connections=4"));
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            Connections reads = flushes.as(Share.READS);
            Future<Integer> slow = readers.submit(() -> held(reads, held, over));
            held.await();
            Connections impatient = reads.waiting(Duration.ofMillis(20));

            try {
                refuses(() -> impatient.read(session -> session.number("SELECT 1")), ErrorCode.STORE_BUSY)
                        .hasMessageContaining("has all 1 of the 4 connections that perdure.connections allows in use");
            } finally {
                over.countDown();
            }
            slow.get();
        }
    }

    /** Keys are read from a table that runs have nothing to do with; a call that reads them waits for its lock. */
    @ParameterizedTest
    @CsvSource({"perdure.connections=2, 1", "perdure.connections=8, 3", "perdure.pooler=transaction, 3"})
    void run_whileReadersWaitForALock_completes(String parameter, int most) throws Exception {
        try (Perdure perdure = Perdure.open(database.text(parameter), Mailroom.options(Duration.ofMinutes(2)))
                        .register(twoSteps)
                        .start();
                Connection operator = database.session();
                Statement statement = operator.createStatement();
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            operator.setAutoCommit(false);
            statement.execute("LOCK TABLE perdure.api_key IN ACCESS EXCLUSIVE MODE");
            List<Future<Integer>> answers = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                answers.add(readers.submit(() -> perdure.keys().list().size()));
            }
            while (waitForLocks() < most) {
                LockSupport.parkNanos(MOMENT.toNanos());
            }

            Run<Integer> run = perdure.start(twoSteps, 4, StartOptions.defaults());
            lastStep.await();

            assertThat(waitForLocks()).isLessThanOrEqualTo(most);
            operator.rollback();
            assertThat(run.result(Duration.ofSeconds(50))).isEqualTo(9);
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isZero();
            }
        }
    }

    /** How many readers wait for the table. */
    private int waitForLocks() {
        return Integer.parseInt(database.read("SELECT count(*)::text FROM pg_locks"
                + " WHERE relation = 'perdure.api_key'::regclass AND NOT granted"));
    }
}
