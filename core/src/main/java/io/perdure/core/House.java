package io.perdure.core;

import io.perdure.core.key.ApiKeys;
import io.perdure.core.request.Requests;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** What the engines of all tenants share. */
record House(
        Store store,
        Ledger ledger,
        Environment environment,
        OpenOptions options,
        Map<TenantId, Perdure> tenants,
        AtomicBoolean serves,
        ApiKeys keys,
        Telemetry telemetry)
        implements AutoCloseable {
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
                    new ApiKeys(watched, environment, options.limits().keys()),
                    telemetry);
        } catch (RuntimeException | Error e) {
            // A registry or a tracer of another version throws errors.
            try (store) {
                telemetry.close();
            }
            throw e;
        }
    }

    Workflows workflows(TenantId tenant) {
        return new Workflows(
                new Workflows.Setup(store, ledger, environment, tenant, options.codec(), options.limits(), telemetry));
    }

    Requests requests(TenantId tenant) {
        return new Requests(store, environment, tenant);
    }

    /**
     * Begins to end all: it has the longest of these drains and that of the options together, and after that a store that does not
     * answer is not waited for any longer.
     *
     * @return when that time is over, by the environment's nanoseconds
     */
    long end(Stream<Duration> drains) {
        Duration time = Stream.concat(Stream.of(options.limits().workers().drain()), drains)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        ledger.endWithin(time);
        store.endWithin(time);
        // Converted, not toNanos(): centuries must not overflow.
        return environment.nanoTime() + TimeUnit.NANOSECONDS.convert(time);
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
