package io.perdure.core;

import io.perdure.core.key.ApiKeys;
import io.perdure.core.request.Requests;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.core.workflow.LargeRunRoom;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the engines of all tenants share. */
record House(
        Store store,
        Ledger ledger,
        Environment environment,
        OpenOptions options,
        Map<TenantId, Perdure> tenants,
        AtomicBoolean serves,
        AtomicReference<@Nullable Long> drainedBy,
        ApiKeys keys,
        Telemetry telemetry,
        LargeRunRoom largeRuns)
        implements AutoCloseable {
    /** Longer than steps and handlers have to end after they were interrupted. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** A century: longer times, such as the longest that a {@link Duration} holds, would overflow when they are added to others. */
    private static final Duration LONGEST_DRAIN = Duration.ofDays(36_500);

    /** Of nobody yet, over a store that is open; closes it where that cannot be. */
    static House open(Store store, Environment environment, OpenOptions options) {
        House house = over(store, environment, options);
        try {
            house.telemetry.over(house.ledger);
            return house;
        } catch (RuntimeException | Error e) {
            house.close();
            throw e;
        }
    }

    private static House over(Store store, Environment environment, OpenOptions options) {
        Map<TenantId, Perdure> tenants = new ConcurrentHashMap<>();
        Telemetry telemetry = new Telemetry(options.watchers());
        try {
            Store watched = telemetry.over(store, environment, tenants::keySet);
            return new House(
                    watched,
                    Ledger.open(watched, environment, options.limits()),
                    environment,
                    options,
                    tenants,
                    new AtomicBoolean(),
                    new AtomicReference<>(),
                    new ApiKeys(watched, environment, options.limits().keys()),
                    telemetry,
                    new LargeRunRoom(environment, options.limits().runs().lease()));
        } catch (RuntimeException | Error e) {
            // A registry or a tracer of another version throws errors.
            try (store) {
                telemetry.close();
            }
            throw e;
        }
    }

    Workflows workflows(TenantId tenant) {
        return new Workflows(new Workflows.Setup(
                store, ledger, environment, tenant, options.codec(), options.limits(), telemetry, largeRuns));
    }

    Requests requests(TenantId tenant) {
        return new Requests(store, environment, tenant);
    }

    /**
     * Starts the time to drain, which all engines share: the longest of the given drains and that of the options. What steps and handlers write when they are
     * interrupted at its end has {@link #GRACE}. After that, a store that does not answer is not waited for. Only the first call counts.
     *
     * @return when the time to drain is over, by the environment's nanoseconds
     */
    long startDrain(Stream<Duration> drains) {
        Duration asked = Stream.concat(Stream.of(options.limits().workers().drain()), drains)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        Duration time = asked.compareTo(LONGEST_DRAIN) < 0 ? asked : LONGEST_DRAIN;
        long until = environment.nanoTime() + time.toNanos();
        Long earlier = drainedBy.compareAndExchange(null, until);
        if (earlier != null) {
            return earlier;
        }
        ledger.endWithin(time.plus(GRACE));
        store.endWithin(time.plus(GRACE));
        return until;
    }

    /** Lets commits that are under way finish, and closes the store. */
    @Override
    public void close() {
        try (store;
                telemetry) {
            ledger.close();
        }
    }
}
