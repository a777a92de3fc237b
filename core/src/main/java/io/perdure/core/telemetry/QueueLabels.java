package io.perdure.core.telemetry;

import io.perdure.sdk.id.QueueName;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * What stands for a queue in a label, chosen among the queues that there are. One that has figures of its own keeps them while it exists, and makes room
 * when it is gone. Dead letters go with their queue: those of all others together are apart from the messages of these, for the one is no trouble and the
 * other is. One thread at a time asks.
 */
final class QueueLabels {
    private static final QueueName OTHER = new QueueName(Labels.OTHER);

    private final int most;
    private Set<QueueName> chosen = Set.of();

    /** Has chosen none yet, of so many at most. */
    QueueLabels(int most) {
        this.most = most;
    }

    /** Chooses anew: these queues exist, and no others. */
    void choose(Collection<QueueName> there) {
        Set<QueueName> origins = new TreeSet<>();
        there.forEach(queue -> origins.add(queue.origin()));
        Set<QueueName> stay = new HashSet<>(chosen);
        stay.retainAll(origins);
        for (QueueName queue : origins) {
            if (stay.size() < most) {
                stay.add(queue);
            }
        }
        chosen = stay;
    }

    /** Whether it has no figures of its own. */
    boolean isOther(QueueName queue) {
        return !chosen.contains(queue.origin());
    }

    /** The name itself where it was chosen. */
    String of(QueueName queue) {
        QueueName shown = isOther(queue) ? queue.holdsDeadLetters() ? OTHER.deadLetters() : OTHER : queue;
        return shown.value();
    }
}
