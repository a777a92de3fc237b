package io.perdure.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.Filter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A caller's connection that a test closes when it likes. */
public final class ControlledConnection implements CallerConnection {
    /** A request with this header comes by the connection. */
    public static final String HEADER = "Test-Controlled";

    private final Set<Runnable> actions = ConcurrentHashMap.newKeySet();
    private volatile boolean gone;

    @Override
    public Registration onHangUp(Runnable action) {
        actions.add(action);
        if (gone) {
            action.run();
        }
        return () -> actions.remove(action);
    }

    /** Hangs up. */
    public void hangUp() {
        gone = true;
        actions.forEach(Runnable::run);
    }

    /** The number of requests that want to know when the caller hangs up. */
    public int watchers() {
        return actions.size();
    }

    /** Has the requests of a server that bear the header come by this connection. */
    public Filter filter() {
        return (chain, request, _) -> {
            if (request.headers().contains(HeaderNames.create(HEADER))) {
                bound(chain::proceed);
            } else {
                chain.proceed();
            }
        };
    }

    /** Does something as if for a request that came by this connection. */
    public void bound(Runnable work) {
        ScopedValue.where(CURRENT, this).run(work);
    }
}
