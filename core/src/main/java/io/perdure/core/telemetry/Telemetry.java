package io.perdure.core.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweeper;
import io.perdure.sdk.Limits;
import io.perdure.sdk.TelemetryLimits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.worker.Surroundings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters and traces of an engine: a store is {@linkplain #over put behind it}, and from then on all that becomes durable is counted and traced.
 * Nothing else of the engine knows, save what hands a trace on to steps. Without meters and traces it is nothing at all.
 */
public final class Telemetry implements AutoCloseable {
    /** Nobody watches. */
    public static final Telemetry NONE = new Telemetry(new Watchers(null, null));

    private static final Duration READ_EVERY = Duration.ofSeconds(10);
    private static final TelemetryLimits LIMITS = Limits.defaults().telemetry();

    private final Watchers watchers;
    private final @Nullable RunSpans spans;
    private @Nullable RunCards cards;
    private @Nullable Observer observer;
    private @Nullable StoreGauges gauges;
    private @Nullable Sweeper reader;

    /**
     * Who watches.
     *
     * @param meters the registry that meters are in
     * @param openTelemetry where tracers come from
     */
    public record Watchers(
            @Nullable MeterRegistry meters, @Nullable OpenTelemetry openTelemetry) {}

    public Telemetry(Watchers watchers) {
        this.watchers = watchers;
        this.spans = watchers.openTelemetry() == null ? null : new RunSpans(watchers.openTelemetry());
    }

    /**
     * The store as it is watched; to be called once.
     *
     * @param tenants whose runs and queues are looked at
     */
    public Store over(Store store, Environment environment, Supplier<Collection<TenantId>> tenants) {
        MeterRegistry registry = watchers.meters();
        if (registry == null && spans == null) {
            return store;
        }
        // One without a registry counts nothing.
        StoreMeters storeMeters = new StoreMeters(registry == null ? new CompositeMeterRegistry() : registry);
        RunCards kept = new RunCards(store, environment, LIMITS.remembered(), storeMeters::dropped);
        RunMeters meters = registry == null ? null : new RunMeters(registry, LIMITS);
        Observer told = new Observer(environment, kept, storeMeters, meters, spans);
        cards = kept;
        observer = told;
        if (registry != null) {
            StoreGauges read = new StoreGauges(store, tenants, registry, LIMITS);
            gauges = read;
            Sweeper every = new Sweeper(environment, READ_EVERY, 1, List.of(_ -> {
                read.read();
                return 0;
            }));
            every.start();
            reader = every;
        }
        return new ObservedStore(store, environment, told);
    }

    /** Reads anew how the store stands, for whoever is about to look; it is read now and then by itself. */
    public void read() {
        StoreGauges now = gauges;
        if (now != null) {
            now.read();
        }
    }

    /** What is told on the threads of runs. */
    public Surroundings surroundings() {
        return spans == null ? Surroundings.NONE : new TracedSteps(spans);
    }

    /** The same start under the span that is current, if one is and it does not say otherwise. */
    public StartOptions within(StartOptions asked) {
        SpanContext caller =
                spans == null ? SpanContext.getInvalid() : Span.current().getSpanContext();
        return caller.isValid()
                ? asked.within(new TraceContext(caller.getTraceId(), caller.getSpanId(), caller.isSampled()))
                : asked;
    }

    /** A commit of this run is under way that a worker elsewhere has made: it has no spans of its own there. */
    public void comesFromElsewhere(RunId run) {
        Observer told = observer;
        if (told != null && spans != null) {
            told.elsewhere().add(run);
        }
    }

    /** And it has been answered. */
    public void wasAnswered(RunId run) {
        Observer told = observer;
        if (told != null) {
            told.elsewhere().remove(run);
        }
    }

    /** Tells what is yet to be told, and ends; before the store is closed. */
    @Override
    public void close() {
        Sweeper every = reader;
        if (every != null) {
            every.close();
        }
        RunCards kept = cards;
        if (kept != null) {
            kept.close();
        }
    }
}
