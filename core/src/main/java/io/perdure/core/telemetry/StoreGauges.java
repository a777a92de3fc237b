package io.perdure.core.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.perdure.core.store.Store;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.run.RunCount;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a store stands, of the tenants together that this process knows or that have a key: read from the books that it keeps anyway. Every process that
 * watches it says the same of them, so these are not to be added up over processes. They are read by a thread of their own: a store that does not answer
 * must not keep whoever wants to look from seeing the rest.
 */
final class StoreGauges {
    private static final System.Logger LOG = Logs.of(StoreGauges.class);

    private final Store store;
    private final Environment environment;
    private final Supplier<Collection<TenantId>> tenants;
    private final Teller teller;
    private final MeterRegistry registry;
    private final Labels workflows;
    private final GaugeRows inFlight;
    private final GaugeRows parked;
    private final GaugeRows due;
    private final GaugeRows workers;
    private final QueueGauges queues;
    private final Gauge age;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile long readNanos;
    private boolean closed;

    /**
     * What is looked at.
     *
     * @param tenants whose runs and queues, beside those of tenants that have a key
     */
    record Books(Store store, Environment environment, Supplier<Collection<TenantId>> tenants) {}

    /** What a look has found, as of a time by the store's clock. */
    private record Standing(
            Instant now,
            Map<Tags, Double> running,
            Map<Tags, Double> aside,
            Map<Tags, Double> waiting,
            int workers,
            QueueGauges.Found queues) {}

    StoreGauges(Books books, Series series, Teller teller) {
        this.store = books.store();
        this.environment = books.environment();
        this.tenants = books.tenants();
        this.teller = teller;
        this.registry = series.registry();
        this.workflows = series.workflows();
        inFlight = new GaugeRows(
                registry,
                "workflow.runs.in.flight",
                "Runs that go on, whether they are worked on, sleep or wait",
                null);
        parked =
                new GaugeRows(registry, "perdure.runs.parked", "Runs that were set aside for someone to look at", null);
        due = new GaugeRows(
                registry,
                "perdure.runs.oldest.due",
                "How long the run that has waited longest for a worker has been due",
                "seconds");
        workers = new GaugeRows(registry, "perdure.workers", "Workers that are alive", null);
        queues = new QueueGauges(series);
        readNanos = environment.nanoTime();
        age = Gauge.builder("perdure.store.read.age", this, StoreGauges::ageSeconds)
                .description("How long ago the figures of the store as it stands were read")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Shows none of the store's figures any more, also where a look is under way: there is no store. */
    synchronized void close() {
        closed = true;
        List.of(inFlight, parked, due, workers).forEach(rows -> rows.show(Map.of()));
        queues.close();
        registry.remove(age);
    }

    private double ageSeconds() {
        return (environment.nanoTime() - readNanos) / 1e9;
    }

    /** Reads all of them anew, and waits for that so long; where somebody is at it already, that will do. */
    void read(Duration atMost) {
        if (reading.compareAndSet(false, true)) {
            Bell done = environment.bell();
            environment.start("perdure-figures", () -> {
                teller.tell(this::lookIfThere);
                reading.set(false);
                done.ring();
            });
            try {
                done.await(atMost);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** That a store does not answer is told by those who need it; {@code perdure.store.read.age} grows meanwhile. */
    private void lookIfThere() {
        try {
            show(look());
        } catch (PerdureException e) {
            LOG.log(System.Logger.Level.DEBUG, "The store does not tell how it stands.", e);
        }
    }

    private Standing look() {
        Map<Tags, Double> running = new HashMap<>();
        Map<Tags, Double> aside = new HashMap<>();
        Map<Tags, Double> waiting = new HashMap<>();
        Instant now = store.now();
        int alive = 0;
        Set<TenantId> all = tenants();
        for (TenantId tenant : all) {
            for (RunCount count : store.runCounts(tenant)) {
                count(count, running, aside);
                waiting.putIfAbsent(of(count.workflow()), 0.0);
            }
            store.dueSince(tenant)
                    .forEach((workflow, since) -> waiting.merge(of(workflow), seconds(since, now), Math::max));
            alive += store.workers(tenant).size();
        }
        return new Standing(now, running, aside, waiting, alive, queues.look(store, all));
    }

    /** A tenant may have come to know only another process, by a key that was made since: then its key is in the store. */
    private Set<TenantId> tenants() {
        Set<TenantId> all = new TreeSet<>(tenants.get());
        store.keys().forEach(key -> all.add(key.tenant()));
        return all;
    }

    private synchronized void show(Standing standing) {
        if (closed) {
            return;
        }
        inFlight.show(standing.running());
        parked.show(standing.aside());
        due.show(standing.waiting());
        workers.show(Map.of(Tags.empty(), (double) standing.workers()));
        queues.show(standing.queues(), standing.now());
        readNanos = environment.nanoTime();
    }

    private Tags of(WorkflowName workflow) {
        return Tags.of("workflow", workflows.of(workflow.value()));
    }

    /** What became so after the look began has been so for no time. */
    static double seconds(@Nullable Instant since, Instant now) {
        return since == null || now.isBefore(since)
                ? 0
                : Duration.between(since, now).toNanos() / 1e9;
    }

    private void count(RunCount count, Map<Tags, Double> running, Map<Tags, Double> aside) {
        // A workflow whose runs have all ended has none in flight: 0 is a figure, and nothing would be a gap.
        Tags tags = of(count.workflow());
        running.merge(tags, count.status() == RunStatus.RUNNING ? count.count() : 0.0, Double::sum);
        aside.merge(tags, count.status() == RunStatus.PARKED ? count.count() : 0.0, Double::sum);
    }
}
