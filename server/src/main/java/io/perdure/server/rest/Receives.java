package io.perdure.server.rest;

import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.Receiving;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The receives that wait here and have a request id, so that who asked for one can end it: a caller that merely went away would be given messages
 * that nobody gets. Safe for many threads.
 */
final class Receives {
    private final Map<Asked, QueueBackend> waiting = new ConcurrentHashMap<>();
    private final Searches searches = new Searches(new SystemEnvironment()::nanoTime);

    /** Whose request, and its id. */
    private record Asked(TenantId tenant, UUID request) {}

    /** Who asks, by the ids that it has, if any. */
    record Asker(TenantId tenant, @Nullable UUID request, Searches.@Nullable Searcher searcher) {}

    /**
     * Receives; what has an id can be ended meanwhile.
     *
     * @param fresh for who has not come by before
     */
    Arrivals receive(Asker asker, Receiving receiving, QueueBackend fresh) {
        Searches.Searcher searcher = receiving.match() == null ? null : asker.searcher();
        QueueBackend backend =
                Optional.ofNullable(searcher).flatMap(searches::take).orElse(fresh);
        Asked asked = asker.request() == null || receiving.waiting().isZero()
                ? null
                : new Asked(asker.tenant(), asker.request());
        if (asked != null) {
            QueueBackend before = waiting.put(asked, backend);
            if (before != null) {
                // Its caller asks anew, and could not end both of them.
                before.dismiss();
            }
        }
        try {
            return backend.receive(receiving);
        } finally {
            boolean ended = asked != null && !waiting.remove(asked, backend);
            // One that was ended waits for nothing any more.
            if (searcher != null && !ended) {
                searches.leave(searcher, backend);
            }
        }
    }

    /** Ends the wait of a receive; false where there is none such here. */
    boolean end(TenantId tenant, UUID request) {
        QueueBackend backend = waiting.remove(new Asked(tenant, request));
        if (backend == null) {
            return false;
        }
        backend.dismiss();
        return true;
    }
}
