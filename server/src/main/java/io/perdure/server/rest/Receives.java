package io.perdure.server.rest;

import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.Receiving;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The receives that wait here and have a request id, so that who asked for one can end it: a caller that merely went away would be given messages
 * that nobody gets. Safe for many threads.
 */
final class Receives {
    private final Map<Asked, QueueBackend> waiting = new ConcurrentHashMap<>();

    /** Whose request, and its id. */
    private record Asked(TenantId tenant, UUID request) {}

    /** Receives; what has an id can be ended meanwhile. */
    Arrivals receive(TenantId tenant, Optional<UUID> request, QueueBackend backend, Receiving receiving) {
        if (request.isEmpty() || receiving.waiting().isZero()) {
            return backend.receive(receiving);
        }
        Asked asked = new Asked(tenant, request.get());
        waiting.put(asked, backend);
        try {
            return backend.receive(receiving);
        } finally {
            waiting.remove(asked, backend);
        }
    }

    /** Ends the wait of a receive; false where there is none such here. */
    boolean end(TenantId tenant, UUID request) {
        QueueBackend backend = waiting.get(new Asked(tenant, request));
        if (backend == null) {
            return false;
        }
        backend.dismiss();
        return true;
    }
}
