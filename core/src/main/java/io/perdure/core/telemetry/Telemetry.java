package io.perdure.core.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweeper;
import io.perdure.sdk.Limits;
import io.perdure.sdk.TelemetryLimits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Progress;
import io.perdure.sdk.worker.Surroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters and traces of an engine: a store is {@linkplain #over put behind it}, and from then on all that becomes durable is counted and traced.
 * Nothing else of the engine knows, save what hands a trace on to steps. Without meters and traces it is nothing at all.
 */
public final class Telemetry implements AutoCloseable {
    /** How long closing waits for runs that are still looked up, and again for spans that are still written. */
    private static final Duration AT_END = Duration.ofSeconds(5);

    /** Nobody watches. */
    public static final Telemetry NONE = new Telemetry(new Watchers(null, null));

    private static final Duration READ_EVERY = Duration.ofSeconds(10);

    /** Whoever scrapes gives up after ten seconds, as a rule. */
    private static final Duration AT_MOST = Duration.ofSeconds(2);

    private static final TelemetryLimits LIMITS = Limits.defaults().telemetry();

    private final Watchers watchers;
    private final Duration atEnd;
    /** Those that show what is closed with this, and no other one's: what counts for the process goes on with the next. */
    private final List<Meter> bound = new ArrayList<>();

    private final List<Work> work = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private @Nullable RunSpans spans;
    private @Nullable Teller teller;
    private @Nullable Teller spanTeller;
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

    /**
     * The work of a worker in this process.
     *
     * @param runs how many it works on now
     * @param abandoned how many threads go on though their runs were cancelled or lost and their slots given back
     * @param concurrency how many it works on at once, at most
     */
    public record Work(IntSupplier runs, IntSupplier abandoned, int concurrency) {}

    public Telemetry(Watchers watchers) {
        this(watchers, AT_END);
    }

    /** Waits up to the given duration when it closes. */
    Telemetry(Watchers watchers, Duration atEnd) {
        this.watchers = watchers;
        this.atEnd = atEnd;
    }

    /**
     * The store as it is watched; to be called once.
     *
     * @param tenants whose runs and queues are looked at, beside those of tenants that have a key
     */
    public Store over(Store store, Environment environment, Supplier<Collection<TenantId>> tenants) {
        MeterRegistry registry = watchers.meters();
        OpenTelemetry tracing = watchers.openTelemetry();
        if (registry == null && tracing == null) {
            return store;
        }
        // One without a registry counts nothing.
        Series series = new Series(registry == null ? new CompositeMeterRegistry() : registry, LIMITS);
        StoreMeters storeMeters = new StoreMeters(series);
        Teller tells = new Teller(environment, Missed.METER, storeMeters::dropped);
        teller = tells;
        Aside aside = Aside.of(environment, LIMITS.remembered(), atEnd, storeMeters::dropped);
        RunCards kept = new RunCards(store, LIMITS.remembered(), aside, tells);
        cards = kept;
        spans = tracing == null ? null : new RunSpans(tracing, aside.spans());
        spanTeller = new Teller(environment, Missed.SPAN, storeMeters::dropped);
        RunMeters runMeters = registry == null ? null : new RunMeters(series);
        Observer told = new Observer(environment, kept, storeMeters, runMeters, spans, LIMITS.remembered());
        observer = told;
        if (registry != null) {
            StoreGauges read = new StoreGauges(new StoreGauges.Books(store, environment, tenants), series, tells);
            gauges = read;
            Sweeper every = new Sweeper(environment, READ_EVERY, 1, List.of(_ -> {
                read.read(READ_EVERY);
                return 0;
            }));
            every.start();
            reader = every;
            showWork(registry);
        }
        return new ObservedStore(store, environment, told, tells);
    }

    /** Shows what the ledger before the store does. */
    public void over(Ledger ledger) {
        MeterRegistry registry = watchers.meters();
        if (registry != null) {
            bound.add(FunctionCounter.builder(
                            "perdure.ledger.resends",
                            ledger,
                            one -> one.figures().resends())
                    .description("Batches that were sent again because the answer was lost or the store was busy")
                    .register(registry));
            bound.add(FunctionCounter.builder(
                            "perdure.ledger.unknown",
                            ledger,
                            one -> one.figures().unknown())
                    .description("Commits of which nobody knows whether they were applied, PD-201")
                    .register(registry));
            bound.add(Gauge.builder(
                            "perdure.ledger.waiting.commits",
                            ledger,
                            one -> one.figures().waiting())
                    .description("Commits that were handed over and are not answered")
                    .register(registry));
        }
    }

    /** Shows what a worker of this process does, beside others of it. */
    public void over(Work begun) {
        if (watchers.meters() != null) {
            work.add(begun);
        }
    }

    private void showWork(MeterRegistry registry) {
        bound.add(
                Gauge.builder("perdure.worker.runs", () -> sum(one -> one.runs().getAsInt()))
                        .description("Runs that this process works on")
                        .register(registry));
        bound.add(Gauge.builder(
                        "perdure.worker.abandoned",
                        () -> sum(one -> one.abandoned().getAsInt()))
                .description("Threads of cancelled or lost runs that do not end though they were interrupted")
                .register(registry));
        bound.add(Gauge.builder("perdure.worker.concurrency", () -> sum(Work::concurrency))
                .description("Most runs that this process works on at once")
                .register(registry));
    }

    private int sum(ToIntFunction<Work> figure) {
        return work.stream().mapToInt(figure).sum();
    }

    /** Reads anew how the store stands, for whoever is about to look, and waits a moment for that; it is read now and then by itself. */
    public void read() {
        StoreGauges now = gauges;
        if (now != null) {
            now.read(AT_MOST);
        }
    }

    /** What is told on the threads of runs. */
    public Surroundings surroundings() {
        return spans == null || spanTeller == null ? Surroundings.NONE : new TracedSteps(spans, spanTeller);
    }

    /** The same start under the span that is current, if one is and it does not say otherwise. */
    public StartOptions within(StartOptions asked) {
        SpanContext caller =
                spans == null ? SpanContext.getInvalid() : Span.current().getSpanContext();
        return caller.isValid() ? asked.within(Places.of(caller)) : asked;
    }

    /**
     * A commit that a worker elsewhere has made is under way: its attempts have no spans of their own there.
     *
     * @param again whether it was sent before: where it loses its lease, it may have lost to itself, which is no loss
     */
    public void comesFromElsewhere(Progress progress, boolean again) {
        Observer told = observer;
        if (told == null) {
            return;
        }
        if (spans != null && !progress.events().isEmpty()) {
            told.elsewhere().add(mark(progress));
        }
        if (again) {
            told.again().add(mark(progress));
        }
    }

    /** And it has been answered. */
    public void wasAnswered(Progress progress, boolean again) {
        Observer told = observer;
        if (told == null) {
            return;
        }
        told.elsewhere().remove(mark(progress));
        if (again) {
            told.again().remove(mark(progress));
        }
    }

    /** A commit that was sent again has lost its lease, and not to itself. */
    public void lostAgain(Held held, Outcome.LeaseLost lost) {
        Observer told = observer;
        Teller tells = teller;
        if (told != null && tells != null) {
            tells.tell(() -> told.lost(held.run(), held.token(), lost));
        }
    }

    private static Observer.Mark mark(Progress progress) {
        return new Observer.Mark(progress.held().run(), progress.held().token(), progress.seq());
    }

    /** Tells what is yet to be told, and ends, with the meters that are of this engine alone; before the store is closed. */
    @Override
    public void close() {
        // A second time the meters of these names may be those of the next engine.
        if (closed.compareAndSet(false, true)) {
            end();
        }
    }

    private void end() {
        Sweeper every = reader;
        if (every != null) {
            every.close();
        }
        RunCards kept = cards;
        if (kept != null) {
            kept.close();
        }
        StoreGauges shown = gauges;
        if (shown != null) {
            shown.close();
        }
        MeterRegistry registry = watchers.meters();
        if (registry != null) {
            bound.forEach(registry::remove);
        }
    }
}
