package io.perdure.core.queue;

import io.perdure.core.store.Received;
import java.util.List;

/** One look for messages at the store, that leases what it finds. */
interface Look {
    Looked look();

    /** Whether it has seen some of what there is and goes on from there. */
    default boolean isHalfway() {
        return false;
    }

    /**
     * What a look found.
     *
     * @param begunNanos a time of the environment's before its lease began, where it leased something: the lease lasts from then at least
     * @param more whether it found nothing and stopped before it had seen everything: the next look goes on there, and need not wait
     */
    record Looked(Received received, long begunNanos, boolean more) {
        /** What nobody found, who did not look or gave up waiting. */
        static final Looked NOTHING = new Looked(new Received(List.of(), null), 0, false);

        boolean foundNothing() {
            return received.deliveries().isEmpty();
        }
    }
}
