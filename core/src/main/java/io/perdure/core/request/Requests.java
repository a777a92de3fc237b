package io.perdure.core.request;

import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.TenantId;
import java.util.Optional;
import java.util.UUID;

/**
 * The requests to the servers of a store that bear an id, of one tenant. Whoever is asked notes the request, and only the first who does so does what it
 * asks for; all others answer what that one has answered. For 24 hours, whichever server is asked. Safe for many threads.
 */
public final class Requests {
    private final Store store;
    private final Environment environment;
    private final TenantId tenant;

    /** The requests of a tenant in a store that stays the caller's. */
    public Requests(Store store, Environment environment, TenantId tenant) {
        this.store = store;
        this.environment = environment;
        this.tenant = tenant;
    }

    /** A note of the caller's, yet to be kept. */
    public RequestNote draft(UUID id, String digest) {
        return new RequestNote(tenant, id, environment.ids().token(), digest);
    }

    /** Notes a request, unless it was noted before; returns what is kept, when that is durable. */
    public NotedRequest note(RequestNote note) {
        return store.noteRequest(note);
    }

    /** A request as it is kept now; empty where it is not. */
    public Optional<NotedRequest> find(UUID id) {
        return store.request(tenant, id);
    }

    /** Keeps what the request of this note is answered; returns when that is durable. Of two answers the first counts. */
    public void answered(RequestNote note, RequestAnswer answer) {
        store.answerRequest(note, answer);
    }

    /** Forgets a request of which nothing was done, so that it is done when it is sent again; not one that was answered. */
    public void forget(RequestNote note) {
        store.forgetRequest(note);
    }
}
