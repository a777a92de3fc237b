package io.perdure.core.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.perdure.core.store.Queue;
import io.perdure.core.store.Store;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.run.RunCount;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a store stands, of the tenants that this process knows together: read from the books that it keeps anyway. Every process that watches it says the
 * same of them, so these are not to be added up over processes. They are read by a thread of their own: a store that does not answer must not keep
 * whoever wants to look from seeing the rest.
 */
final class StoreGauges {
    private static final System.Logger LOG = Logs.of(StoreGauges.class);

    /** Most queues that are asked for at one look. */
    private static final int MOST_QUEUES = 1_000;

    private final Store store;
    private final Environment environment;
    private final Supplier<Collection<TenantId>> tenants;
    private final Teller teller;
    private final Labels workflows;
    private final Labels queues;
    private final GaugeRows inFlight;
    private final GaugeRows parked;
    private final GaugeRows due;
    private final GaugeRows workers;
    private final GaugeRows messages;
    private final GaugeRows oldest;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile long readNanos;

    /**
     * What is looked at.
     *
     * @param tenants whose runs and queues
     */
    record Books(Store store, Environment environment, Supplier<Collection<TenantId>> tenants) {}

    StoreGauges(Books books, Series series, Teller teller) {
        this.store = books.store();
        this.environment = books.environment();
        this.tenants = books.tenants();
        this.teller = teller;
        this.workflows = series.workflows();
        this.queues = series.queues();
        MeterRegistry registry = series.registry();
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
        messages = new GaugeRows(
                registry,
                "perdure.queue.messages",
                "Messages in a queue that are ready, delayed, or with a receiver",
                null);
        oldest = new GaugeRows(
                registry,
                "perdure.queue.oldest.age",
                "How long the message that has waited longest for a receiver has been ready",
                "seconds");
        readNanos = environment.nanoTime();
        Gauge.builder("perdure.store.read.age", this, StoreGauges::ageSeconds)
                .description("How long ago the figures of the store as it stands were read")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Shows none of the store's figures any more: there is no store. */
    void close() {
        List.of(inFlight, parked, due, workers, messages, oldest).forEach(rows -> rows.show(Map.of()));
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
            look();
        } catch (PerdureException e) {
            LOG.log(System.Logger.Level.DEBUG, "The store does not tell how it stands.", e);
        }
    }

    private void look() {
        Map<Tags, Double> running = new HashMap<>();
        Map<Tags, Double> aside = new HashMap<>();
        Map<Tags, Double> waiting = new HashMap<>();
        Map<String, Depth> depths = new TreeMap<>();
        Instant now = store.now();
        int left = MOST_QUEUES;
        double alive = 0;
        for (TenantId tenant : tenants.get()) {
            for (RunCount count : store.runCounts(tenant)) {
                count(count, running, aside);
                waiting.putIfAbsent(of(count.workflow()), 0.0);
            }
            store.dueSince(tenant)
                    .forEach((workflow, since) -> waiting.merge(of(workflow), seconds(since, now), Math::max));
            alive += store.workers(tenant).size();
            for (Queue queue : store.queues(tenant)) {
                if (left-- > 0) {
                    String name = queues.of(queue.name().value());
                    store.figures(tenant, queue.name())
                            .ifPresent(figures -> depths.merge(name, Depth.of(figures, now), Depth::and));
                }
            }
        }
        inFlight.show(running);
        parked.show(aside);
        due.show(waiting);
        workers.show(Map.of(Tags.empty(), alive));
        show(depths);
        readNanos = environment.nanoTime();
    }

    private Tags of(WorkflowName workflow) {
        return Tags.of("workflow", workflows.of(workflow.value()));
    }

    /** What became so after the look began has been so for no time. */
    private static double seconds(@Nullable Instant since, Instant now) {
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

    private void show(Map<String, Depth> depths) {
        Map<Tags, Double> counts = new HashMap<>();
        Map<Tags, Double> ages = new HashMap<>();
        depths.forEach((name, depth) -> {
            counts.put(Tags.of("queue", name, "state", "ready"), (double) depth.ready());
            counts.put(Tags.of("queue", name, "state", "delayed"), (double) depth.delayed());
            counts.put(Tags.of("queue", name, "state", "leased"), (double) depth.leased());
            ages.put(Tags.of("queue", name), depth.oldestSeconds());
        });
        messages.show(counts);
        oldest.show(ages);
    }

    /** How a queue stands, in the queues of this name of all tenants together. */
    private record Depth(long ready, long delayed, long leased, double oldestSeconds) {
        static Depth of(QueueFigures figures, Instant now) {
            return new Depth(figures.ready(), figures.delayed(), figures.leased(), seconds(figures.oldest(), now));
        }

        Depth and(Depth other) {
            return new Depth(
                    ready + other.ready,
                    delayed + other.delayed,
                    leased + other.leased,
                    Math.max(oldestSeconds, other.oldestSeconds));
        }
    }
}
