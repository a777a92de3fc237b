package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which connections a pool opens, keeps and closes. */
@Timeout(60)
final class PoolTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final FreshDatabase database = new FreshDatabase();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicReference<Runnable> beforeOpening = new AtomicReference<>(() -> {});
    private final Pool pool = pool();

    private Pool pool() {
        PrimarySource source = new PrimarySource(() -> {
            beforeOpening.get().run();
            opened.incrementAndGet();
            return database.session();
        });
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(Pool.LOOK.toMillis());
        return new Pool(source, config, 0, Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        try (database) {
            pool.close();
        }
    }

    private Connection borrowed() throws SQLException {
        return pool.borrow(Share.FLUSHES, LONG);
    }

    /** Those in use are closed when they are given back, which is not another loss while a connection is opened slowly. */
    @Test
    void evictAll_whileAConnectionIsOpenedSlowly_keepsThoseOpenedSince() throws SQLException {
        Connection old = borrowed();
        pool.evictAll();
        Connection later = borrowed();
        CountDownLatch gate = new CountDownLatch(1);
        beforeOpening.set(() -> {
            pool.giveBack(old);
            beforeOpening.set(() -> {});
            awaitOpen(gate);
        });
        assertThatThrownBy(() -> pool.borrow(Share.FLUSHES, Duration.ofSeconds(1)))
                .isInstanceOf(SQLTransientConnectionException.class);
        gate.countDown();

        pool.giveBack(later);
        Connection first = borrowed();
        Connection second = borrowed();

        assertThat(opened).hasValue(3);
        pool.giveBack(first);
        pool.giveBack(second);
    }

    /** HikariCP offers it what is given back while a connection is opened for it. */
    @Test
    void giveBack_whileAVirtualThreadThatWaitsForAConnectionDoesNotRun_returns() throws Exception {
        Connection only = borrowed();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch opening = new CountDownLatch(1);
        beforeOpening.set(() -> {
            opening.countDown();
            awaitOpen(gate);
        });
        FutureTask<Connection> reader = new FutureTask<>(() -> pool.borrow(Share.CALLS, LONG));
        Thread.ofVirtual().start(reader);
        opening.await();
        FutureTask<Connection> flushes = new FutureTask<>(() -> {
            pool.giveBack(only);
            gate.countDown();
            Connection another = borrowed();
            pool.giveBack(another);
            return another;
        });

        try (Carriers _ = Carriers.held()) {
            Thread.ofPlatform().daemon().start(flushes);

            assertThat(flushes.get(LONG.toSeconds(), TimeUnit.SECONDS)).isNotNull();
        }

        pool.giveBack(reader.get());
    }

    private static void awaitOpen(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
