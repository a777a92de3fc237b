package io.perdure.core.queue;

import io.perdure.core.store.Received;

/** One look for messages at the store, that leases what it finds. */
interface Look {
    Looked look();

    /**
     * What a look found.
     *
     * @param more whether it found nothing and stopped before it had seen everything: the next look goes on there, and need not wait
     */
    record Looked(Received received, boolean more) {}
}
