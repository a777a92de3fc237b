package io.perdure.core.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.perdure.core.store.Queue;
import io.perdure.core.store.Store;
import io.perdure.sdk.TelemetryLimits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.run.RunCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * How a store stands, of all tenants together: read from the books that it keeps anyway. Every process that watches it says the same, so these are
 * not to be added up over processes.
 */
final class StoreGauges {
    private final Store store;
    private final Supplier<Collection<TenantId>> tenants;
    private final TelemetryLimits limits;
    private final Labels workflows;
    private final MultiGauge inFlight;
    private final MultiGauge parked;
    private final MultiGauge messages;
    private final MultiGauge oldest;

    /**
     * Of a store.
     *
     * @param tenants whose runs and queues are looked at
     */
    StoreGauges(Store store, Supplier<Collection<TenantId>> tenants, MeterRegistry registry, TelemetryLimits limits) {
        this.store = store;
        this.tenants = tenants;
        this.limits = limits;
        this.workflows = new Labels(limits.workflows());
        inFlight = MultiGauge.builder("workflow.runs.in.flight")
                .description("Runs that go on, whether they are worked on, sleep or wait")
                .register(registry);
        parked = MultiGauge.builder("perdure.runs.parked")
                .description("Runs that were set aside for someone to look at")
                .register(registry);
        messages = MultiGauge.builder("perdure.queue.messages")
                .description("Messages in a queue that are ready, delayed, or with a receiver")
                .register(registry);
        oldest = MultiGauge.builder("perdure.queue.oldest.age")
                .description("For how long the message has been ready that has been so the longest")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Reads all of them anew. */
    void read() {
        Map<RunStatus, Map<String, Long>> runs = new EnumMap<>(RunStatus.class);
        Map<String, Depth> queues = new TreeMap<>();
        Instant now = store.now();
        for (TenantId tenant : tenants.get()) {
            for (RunCount count : store.runCounts(tenant)) {
                runs.computeIfAbsent(count.status(), _ -> new TreeMap<>())
                        .merge(workflows.of(count.workflow().value()), count.count(), Long::sum);
            }
            for (Queue queue : store.queues(tenant)) {
                String name = queue.name().value();
                if (queues.containsKey(name) || queues.size() < limits.queues()) {
                    store.figures(tenant, queue.name())
                            .ifPresent(figures -> queues.merge(name, Depth.of(figures, now), Depth::and));
                }
            }
        }
        register(inFlight, runs.getOrDefault(RunStatus.RUNNING, Map.of()));
        register(parked, runs.getOrDefault(RunStatus.PARKED, Map.of()));
        register(queues);
    }

    private static void register(MultiGauge gauge, Map<String, Long> runs) {
        gauge.register(
                runs.entrySet().stream()
                        .<MultiGauge.Row<?>>map(
                                row -> MultiGauge.Row.of(Tags.of("workflow", row.getKey()), row.getValue()))
                        .toList(),
                true);
    }

    private void register(Map<String, Depth> queues) {
        List<MultiGauge.Row<?>> depths = new ArrayList<>();
        List<MultiGauge.Row<?>> ages = new ArrayList<>();
        queues.forEach((name, depth) -> {
            depths.add(MultiGauge.Row.of(Tags.of("queue", name, "state", "ready"), depth.ready()));
            depths.add(MultiGauge.Row.of(Tags.of("queue", name, "state", "delayed"), depth.delayed()));
            depths.add(MultiGauge.Row.of(Tags.of("queue", name, "state", "leased"), depth.leased()));
            ages.add(MultiGauge.Row.of(Tags.of("queue", name), depth.oldestSeconds()));
        });
        messages.register(depths, true);
        oldest.register(ages, true);
    }

    /** How a queue stands, in the queues of this name of all tenants together. */
    private record Depth(long ready, long delayed, long leased, double oldestSeconds) {
        static Depth of(QueueFigures figures, Instant now) {
            Instant since = figures.oldest();
            Duration age = since == null || now.isBefore(since) ? Duration.ZERO : Duration.between(since, now);
            return new Depth(figures.ready(), figures.delayed(), figures.leased(), age.toNanos() / 1e9);
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
