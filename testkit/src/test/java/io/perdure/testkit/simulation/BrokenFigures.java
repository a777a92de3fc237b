package io.perdure.testkit.simulation;

import io.perdure.core.store.Store;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.testkit.ForwardingStore;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Bugs in what a queue says of itself. */
final class BrokenFigures {
    private BrokenFigures() {}

    /** Says something else than is so. */
    static Store saying(Store store, UnaryOperator<QueueFigures> change) {
        return new ForwardingStore(store) {
            @Override
            public Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
                return store.figures(tenant, queue).map(change);
            }
        };
    }

    private static QueueFigures places(QueueFigures figures, long ready, long delayed, long leased) {
        return new QueueFigures(
                ready,
                delayed,
                leased,
                figures.oldest(),
                figures.in(),
                figures.out(),
                figures.retried(),
                figures.deadLettered(),
                figures.expired());
    }

    /** Does not notice that a message waits for its time. */
    static QueueFigures delayedCountedAsReady(QueueFigures figures) {
        return places(figures, figures.ready() + figures.delayed(), 0, figures.leased());
    }

    /** Does not notice that a lease was taken. */
    static QueueFigures leasedCountedAsReady(QueueFigures figures) {
        return places(figures, figures.ready() + figures.leased(), figures.delayed(), 0);
    }

    /** Does not notice that a delay is over. */
    static QueueFigures readyCountedAsDelayed(QueueFigures figures) {
        return places(figures, 0, figures.ready() + figures.delayed(), figures.leased());
    }

    static QueueFigures withoutTheOldest(QueueFigures figures) {
        return new QueueFigures(
                figures.ready(),
                figures.delayed(),
                figures.leased(),
                null,
                figures.in(),
                figures.out(),
                figures.retried(),
                figures.deadLettered(),
                figures.expired());
    }

    /** Counts what expires twice, as come in and as gone. */
    static QueueFigures expiredTwice(QueueFigures figures) {
        return new QueueFigures(
                figures.ready(),
                figures.delayed(),
                figures.leased(),
                figures.oldest(),
                figures.in() + figures.expired(),
                figures.out(),
                figures.retried(),
                figures.deadLettered(),
                figures.expired() * 2);
    }
}
