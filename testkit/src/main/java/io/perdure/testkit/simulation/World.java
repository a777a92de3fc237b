package io.perdure.testkit.simulation;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.Ids;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.VirtualClock;
import io.perdure.testkit.invariant.Fact;
import io.perdure.testkit.invariant.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What all actors of one simulation share: the store, the one source of chance, the faults and the trace. */
final class World {
    static final List<TenantId> TENANTS = List.of(new TenantId("acme"), new TenantId("zeta"));
    static final List<EventName> EVENTS = List.of(new EventName("go"), new EventName("stop"));
    static final QueueName JOBS = new QueueName("jobs");
    static final QueueName BULK = new QueueName("bulk");
    static final List<QueueName> QUEUES = List.of(JOBS, BULK);
    static final List<IdempotencyKey> KEYS =
            List.of(new IdempotencyKey("k1"), new IdempotencyKey("k2"), new IdempotencyKey("k3"));

    /** A run that somebody wanted to start, whatever came of it. */
    record Known(TenantId tenant, RunId run) {}

    final RandomGenerator random;
    final VirtualClock clock = new VirtualClock(Instant.parse("2030-01-01T00:00:00Z"));
    final Ids ids;
    final Store store;
    final List<Known> known = new ArrayList<>();
    final List<Batch> underWay = new ArrayList<>();
    final Set<Fault> enabled = EnumSet.noneOf(Fault.class);
    final Set<Fault> occurred = EnumSet.noneOf(Fault.class);
    private final Trace.Recorder recorder = new Trace.Recorder(Duration.ZERO);
    private @Nullable Known lookedAt;
    private boolean faultsStopped;
    private long nonce;

    World(StoreFactory stores, Limits limits, long seed) {
        random = new SplittableRandom(seed);
        ids = new Ids(clock, random);
        store = stores.open(clock, limits);
        for (Fault fault : Fault.values()) {
            // Days that pass end most of what goes on, so they come seldom.
            if (chance(fault == Fault.DAYS_PASS ? 0.15 : 0.5)) {
                enabled.add(fault);
            }
        }
    }

    int position() {
        return recorder.position();
    }

    void note(int since, String by, Fact fact) {
        recorder.note(since, store.now(), by, fact);
    }

    void note(String by, Fact fact) {
        note(position(), by, fact);
    }

    Trace trace() {
        return recorder.trace();
    }

    /** A number that was never given before: what makes two values different. */
    long nonce() {
        return ++nonce;
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Whether this fault happens now. */
    boolean fault(Fault fault, double probability) {
        boolean happens = !faultsStopped && enabled.contains(fault) && chance(probability);
        if (happens) {
            occurred.add(fault);
        }
        return happens;
    }

    boolean faultsStopped() {
        return faultsStopped;
    }

    void stopFaults() {
        faultsStopped = true;
        note("world", new Fact.FaultsStopped());
    }

    <T> T pick(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    /** Remembers the run that a worker has just looked at and is about to change. */
    void lookedAt(TenantId tenant, RunId run) {
        lookedAt = new Known(tenant, run);
    }

    /** A run to interfere with: half the time the one that a worker is busy with, else one of the latest. */
    Known target() {
        return lookedAt != null && chance(0.5)
                ? lookedAt
                : known.get(Math.max(0, known.size() - 1 - random.nextInt(12)));
    }

    Duration upTo(Duration most) {
        return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
    }

    void moveClock(Duration by) {
        Instant from = store.now();
        clock.move(by);
        note("clock", new Fact.ClockMoved(from, store.now()));
    }
}
