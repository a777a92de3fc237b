package io.perdure.core.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueFigures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How the queues of a store stand, and what comes and goes in them; those of one name of all tenants together. One thread at a time looks and shows. */
final class QueueGauges {
    /** Most queues whose figures are read at one look, dead letters counted: each of them is a call of the store. */
    private static final int MOST_READ = 1_000;

    private final QueueLabels labels;
    private final QueueTraffic traffic;
    private final GaugeRows messages;
    private final GaugeRows oldest;
    private final GaugeRows unread;

    /** A queue of a tenant. */
    record Place(TenantId tenant, QueueName queue) {}

    /**
     * What a look has found.
     *
     * @param tenants whose queues were listed
     * @param there all queues that exist
     * @param read the figures of those that were asked for them
     * @param unread how many were not
     */
    record Found(Set<TenantId> tenants, Set<Place> there, Map<Place, QueueFigures> read, int unread) {}

    QueueGauges(Series series) {
        MeterRegistry registry = series.registry();
        labels = new QueueLabels(series.limits().queues());
        traffic = new QueueTraffic(registry);
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
        unread = new GaugeRows(
                registry, "perdure.queues.unread", "Queues that are in no figure, because there are too many", null);
    }

    /** Reads the figures of the queues of these tenants, of those first that have some of their own. */
    Found look(Store store, Set<TenantId> tenants) {
        List<Place> there = new ArrayList<>();
        tenants.forEach(tenant -> store.queues(tenant).forEach(queue -> there.add(new Place(tenant, queue.name()))));
        labels.choose(there.stream().map(Place::queue).toList());
        Map<Place, QueueFigures> read = new HashMap<>();
        there.stream()
                .sorted(Comparator.comparing(place -> labels.isOther(place.queue())))
                .limit(MOST_READ)
                .forEach(place ->
                        store.figures(place.tenant(), place.queue()).ifPresent(figures -> read.put(place, figures)));
        return new Found(tenants, Set.copyOf(there), read, Math.max(0, there.size() - MOST_READ));
    }

    /** Shows what was found, as of this time. */
    void show(Found found, Instant now) {
        Map<String, Depth> depths = new HashMap<>();
        found.read()
                .forEach(
                        (place, figures) -> depths.merge(labels.of(place.queue()), Depth.of(figures, now), Depth::and));
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
        unread.show(Map.of(Tags.empty(), (double) found.unread()));
        traffic.count(found, labels);
    }

    /** Shows nothing any more. */
    void close() {
        List.of(messages, oldest, unread).forEach(rows -> rows.show(Map.of()));
        traffic.close();
    }

    /** How a queue stands, in the queues of this label together. */
    private record Depth(long ready, long delayed, long leased, double oldestSeconds) {
        static Depth of(QueueFigures figures, Instant now) {
            return new Depth(
                    figures.ready(), figures.delayed(), figures.leased(), StoreGauges.seconds(figures.oldest(), now));
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
