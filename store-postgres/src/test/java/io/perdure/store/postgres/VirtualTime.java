package io.perdure.store.postgres;

import io.perdure.core.store.Store;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.testkit.VirtualClock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stores whose time is a test's. The schema has one function that reads the clock: here it reads a row instead, which is brought
 * up to the test's clock before every call. Schemas are emptied and used again: to make one takes longer than most tests.
 */
final class VirtualTime {
    private static String readTheRow(String schema) {
        return """
            CREATE TABLE %1$s.virtual_clock (micros bigint NOT NULL);
            INSERT INTO %1$s.virtual_clock VALUES (0);
            CREATE OR REPLACE FUNCTION %1$s.clock_1() RETURNS bigint LANGUAGE plpgsql VOLATILE AS
            $$ BEGIN RETURN (SELECT micros FROM %1$s.virtual_clock); END $$""".formatted(schema);
    }

    private static String emptied(String schema) {
        return """
            DO $$ DECLARE _table text; BEGIN
                FOR _table IN SELECT tablename FROM pg_tables
                              WHERE schemaname = '%1$s' AND tablename NOT IN ('migration', 'virtual_clock') LOOP
                    EXECUTE 'DELETE FROM %1$s.' || _table;
                END LOOP;
            END $$""".formatted(schema);
    }

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static final Queue<String> FREE = new ConcurrentLinkedQueue<>();

    private VirtualTime() {}

    /** An empty store. */
    static Store open(VirtualClock clock, Limits limits) {
        String free = FREE.poll();
        String schema = free == null ? "contract_" + SCHEMAS.incrementAndGet() : free;
        PostgresUrl url = url(schema);
        if (free == null) {
            prepare(schema);
        } else {
            run(url, emptied(schema));
        }
        return open(url, clock, limits, () -> FREE.add(schema));
    }

    /** Makes a schema whose clock is a row. */
    static void prepare(String schema) {
        new Migrations(url(schema)).apply();
        run(url(schema), readTheRow(schema));
    }

    /** A store over what is in the schema. */
    static Store over(String schema, VirtualClock clock, Limits limits) {
        return open(url(schema), clock, limits, () -> {});
    }

    static PostgresUrl url(String schema) {
        return PostgresUrl.parse(TestPostgres.url() + "&perdure.schema=" + schema);
    }

    private static Store open(PostgresUrl url, VirtualClock clock, Limits limits, Runnable closed) {
        Connections side = Connections.to(url);
        Hand hand = new Hand(side, clock);
        hand.move();
        Store store = PostgresStore.open(url, new SystemEnvironment(), limits);
        InvocationHandler handler = (_, method, values) -> {
            if (method.getName().equals("close")) {
                store.close();
                side.close();
                if (hand.stop()) {
                    closed.run();
                }
                return null;
            }
            hand.move();
            try {
                return method.invoke(store, values);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, handler);
    }

    /** Brings the row up to the clock. */
    private static final class Hand {
        private final Connections connections;
        private final VirtualClock clock;
        private long shown = Long.MIN_VALUE;
        private boolean stopped;

        Hand(Connections connections, VirtualClock clock) {
            this.connections = connections;
            this.clock = clock;
        }

        synchronized void move() {
            long micros = Times.micros(clock.instant());
            if (micros != shown && !stopped) {
                connections.write(session -> session.update("UPDATE perdure.virtual_clock SET micros = ?", micros));
                shown = micros;
            }
        }

        synchronized boolean stop() {
            boolean first = !stopped;
            stopped = true;
            return first;
        }
    }

    static void run(PostgresUrl url, String sql) {
        try (var connection = Connections.connect(url);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (java.sql.SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
