package io.perdure.core.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.perdure.core.telemetry.QueueGauges.Found;
import io.perdure.core.telemetry.QueueGauges.Place;
import io.perdure.sdk.queue.QueueFigures;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What came and went in queues since this process first looked: by how much the totals have grown that the store keeps. Those totals themselves are no
 * counters where one label stands for many queues: their sum falls when one of them is deleted, and whoever takes that for a restart counts all that is
 * left of it once more. One thread at a time counts.
 */
final class QueueTraffic {
    private static final QueueFigures NONE = new QueueFigures(0, 0, 0, null, 0, 0, 0, 0, 0);

    private final CounterRows rows;
    private Found before = new Found(Set.of(), Set.of(), Map.of(), 0);

    QueueTraffic(MeterRegistry registry) {
        rows = new CounterRows(
                registry,
                "perdure.queue.traffic",
                "Messages that came in, went out, were retried, given up, or expired");
    }

    /** Counts what has changed since the look before. */
    void count(Found found, QueueLabels labels) {
        Map<Tags, Double> growth = new HashMap<>();
        found.read().forEach((place, figures) -> {
            QueueFigures since = since(place, figures);
            Tags queue = Tags.of("queue", labels.of(place.queue()));
            growth.merge(queue.and("what", "in"), (double) figures.in() - since.in(), Double::sum);
            growth.merge(queue.and("what", "out"), (double) figures.out() - since.out(), Double::sum);
            growth.merge(queue.and("what", "retried"), (double) figures.retried() - since.retried(), Double::sum);
            growth.merge(
                    queue.and("what", "dead_lettered"),
                    (double) figures.deadLettered() - since.deadLettered(),
                    Double::sum);
            growth.merge(queue.and("what", "expired"), (double) figures.expired() - since.expired(), Double::sum);
        });
        rows.add(growth);
        before = found;
    }

    /** From where a queue has grown: a new one from nothing, and one that has a past but was not looked at from where it is. */
    private QueueFigures since(Place place, QueueFigures figures) {
        QueueFigures last = before.read().get(place);
        if (last != null) {
            return isAnew(last, figures) ? NONE : last;
        }
        boolean isNew =
                before.tenants().contains(place.tenant()) && !before.there().contains(place);
        return isNew ? NONE : figures;
    }

    /** Whether the queue was deleted, and one of its name was created: totals do not fall. */
    private static boolean isAnew(QueueFigures last, QueueFigures now) {
        return now.in() < last.in()
                || now.out() < last.out()
                || now.retried() < last.retried()
                || now.deadLettered() < last.deadLettered()
                || now.expired() < last.expired();
    }

    /** Shows nothing any more. */
    void close() {
        rows.add(Map.of());
    }
}
