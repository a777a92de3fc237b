package io.perdure.server.worker;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.TenantId;
import io.perdure.server.http.CallerConnection;
import io.perdure.server.http.TenantBudget;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The requests of workers that wait for something to happen: limited in total and per tenant, and woken when the server closes. Safe for many threads. */
final class WaitingWorkers implements AutoCloseable {
    private static final int MOST = 2 * Limits.defaults().remote().workers();
    private static final long LARGEST = 1L << 50;

    private final Environment environment;
    private final TenantBudget places = new TenantBudget(
            MOST,
            new TenantBudget.Refusal(
                    "Too many waiting requests of workers",
                    "",
                    "Retry later, or start another server on the same Postgres."));
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    WaitingWorkers(Environment environment) {
        this.environment = environment;
    }

    /** Returns a random number that is unlikely to be drawn twice. */
    long anyNumber() {
        return environment.random().nextLong(1, LARGEST);
    }

    /** Begins a wait, to be closed when it is over; throws {@code PD-605} if there is no place for this tenant. */
    Wait enter(TenantId tenant) {
        places.take(tenant);
        Wait wait = new Wait(tenant);
        waits.add(wait);
        if (closed) {
            wait.ring();
        }
        return wait;
    }

    /** One request that waits. */
    final class Wait implements AutoCloseable {
        private final TenantId tenant;
        private final Bell bell = environment.bell();
        private final CallerConnection.Registration line;
        private volatile boolean hungUp;

        private Wait(TenantId tenant) {
            this.tenant = tenant;
            this.line = CallerConnection.whenCallerHangsUp(this::hangUp);
        }

        private void hangUp() {
            hungUp = true;
            bell.ring();
        }

        /** Wakes it, to look at what there is. */
        void ring() {
            bell.ring();
        }

        /** Waits to be woken, for up to the given time. */
        void await(Duration atMost) throws InterruptedException {
            bell.await(atMost);
        }

        /** Returns whether the caller has hung up, so that the result of the wait reaches no caller. */
        boolean isUnheard() {
            return hungUp;
        }

        /** Returns whether it is not to wait any longer: the caller has hung up, or the server closes. */
        boolean isOver() {
            return hungUp || closed;
        }

        @Override
        public void close() {
            line.close();
            if (waits.remove(this)) {
                places.giveBack(tenant);
            }
        }
    }

    int count() {
        return waits.size();
    }

    long nanoTime() {
        return environment.nanoTime();
    }

    @Override
    public void close() {
        closed = true;
        waits.forEach(Wait::ring);
    }
}
