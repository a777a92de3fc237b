package io.perdure.store.postgres;

import io.perdure.core.store.Store;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.VirtualClock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores whose time is a test's. The schema has one function that reads the clock: here it reads a row instead, which is brought
 * up to the test's clock before every call. Schemas are emptied and used again: to make one takes longer than most tests.
 *
 * <p>A store may stand for several processes: then every call goes to the next of as many stores, which share the schema and
 * nothing else.
 */
final class VirtualTime implements StoreFactory {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static final Map<String, Queue<Place>> FREE = new ConcurrentHashMap<>();

    private final String server;
    private final int processes;
    private final Queue<Place> free;

    /** Stores in the database of this URL, each as many as there are processes. */
    VirtualTime(String server, int processes) {
        this.server = server;
        this.processes = processes;
        this.free = FREE.computeIfAbsent(server, _ -> new ConcurrentLinkedQueue<>());
    }

    @Override
    public Store open(VirtualClock clock, Limits limits) {
        Place used = free.poll();
        Place place = used == null ? fresh() : used;
        if (used != null) {
            used.empty();
        }
        return open(place, clock, limits, () -> free.add(place));
    }

    private Place fresh() {
        String schema = "contract_" + SCHEMAS.incrementAndGet();
        PostgresUrl url = PostgresUrl.parse(server + "&perdure.schema=" + schema);
        prepare(url);
        return new Place(url, Connections.to(url));
    }

    /** Makes a schema of the shared server, whose clock is a row. */
    static void prepare(String schema) {
        prepare(url(schema));
    }

    /** A store over what is in the schema. */
    static Store over(String schema, VirtualClock clock, Limits limits) {
        Place place = new Place(url(schema), Connections.to(url(schema)));
        return new VirtualTime(TestPostgres.url(), 1).open(place, clock, limits, place.side()::close);
    }

    static PostgresUrl url(String schema) {
        return PostgresUrl.parse(TestPostgres.url() + "&perdure.schema=" + schema);
    }

    private static void prepare(PostgresUrl url) {
        new Migrations(url).apply();
        TestPostgres.run(url, """
                CREATE TABLE %1$s.virtual_clock (micros bigint NOT NULL);
                INSERT INTO %1$s.virtual_clock VALUES (0);
                CREATE OR REPLACE FUNCTION %1$s.clock_1() RETURNS bigint LANGUAGE plpgsql VOLATILE AS
                $$ BEGIN RETURN (SELECT micros FROM %1$s.virtual_clock); END $$""".formatted(url.schema()));
    }

    private Store open(Place place, VirtualClock clock, Limits limits, Runnable closed) {
        PostgresUrl url = place.url();
        Hand hand = new Hand(place, clock);
        hand.move();
        RoundRobin stores = RoundRobin.of(IntStream.range(0, processes)
                .<Store>mapToObj(_ -> PostgresStore.open(url, new SystemEnvironment(), limits))
                .toList());
        Calls calls = new Calls(url, hand, stores, () -> {
            stores.close();
            if (hand.stop()) {
                closed.run();
            }
        });
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, calls);
    }

    @Override
    public void loseMessage(Store store, TenantId tenant, RunId run) {
        PostgresUrl url = ((Calls) Proxy.getInvocationHandler(store)).url();
        TestPostgres.run(
                url,
                "DELETE FROM %s.run_message WHERE tenant = '%s' AND run = '%s'".formatted(url.schema(), tenant, run));
    }

    /** A schema, with connections to it that outlive the stores over it. */
    private record Place(PostgresUrl url, Connections side) {
        /** Does what may be done twice: on a machine that stands still for seconds it meets the time limits of a store. */
        <T> void patiently(Connections.Work<T> work) {
            new Patience(new SystemEnvironment(), PATIENCE).with(() -> side.write(work));
        }

        void empty() {
            patiently(session -> {
                session.script("""
                        DO $$ DECLARE _table text; BEGIN
                            FOR _table IN SELECT tablename FROM pg_tables
                                          WHERE schemaname = '%1$s' AND tablename NOT IN ('migration', 'virtual_clock') LOOP
                                -- Dead index entries of earlier tests would make looks dear, and the next one a short one.
                                IF pg_indexes_size(('%1$s.' || _table)::regclass) > 200000 THEN
                                    EXECUTE 'TRUNCATE %1$s.' || _table;
                                ELSE
                                    EXECUTE 'DELETE FROM %1$s.' || _table;
                                END IF;
                            END LOOP;
                            PERFORM setval('%1$s.latest_lease', 0);
                            PERFORM setval('%1$s.calendar_swept', 0);
                            PERFORM setval('%1$s.latest_removed_batch', 0);
                        END $$""".formatted(url.schema()));
                return true;
            });
        }
    }

    /** What is asked of a store, each at the time of the clock. */
    private record Calls(PostgresUrl url, Hand hand, RoundRobin stores, Runnable closing) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] values) throws Throwable {
            if (method.getName().equals("close")) {
                closing.run();
                return null;
            }
            hand.move();
            return stores.invoke(method, values);
        }
    }

    /** Brings the row up to the clock. */
    private static final class Hand {
        private final Place place;
        private final VirtualClock clock;
        private long shown = Long.MIN_VALUE;
        private boolean stopped;

        Hand(Place place, VirtualClock clock) {
            this.place = place;
            this.clock = clock;
        }

        synchronized void move() {
            long micros = Times.micros(clock.instant());
            if (micros != shown && !stopped) {
                place.patiently(session -> session.update("UPDATE perdure.virtual_clock SET micros = ?", micros));
                shown = micros;
            }
        }

        synchronized boolean stop() {
            boolean first = !stopped;
            stopped = true;
            return first;
        }
    }
}
