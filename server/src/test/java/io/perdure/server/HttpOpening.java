package io.perdure.server;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.engine.Engine;
import io.perdure.testkit.workflow.Opening;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Opens engines at the other end of HTTP: a server over the store, which those who are open at the same time share, and a client for
 * each, whose workers are workers elsewhere.
 */
final class HttpOpening implements Opening {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Supplier<String> freshUrls;
    private final Map<String, Shared> servers = new HashMap<>();

    HttpOpening(Supplier<String> freshUrls) {
        this.freshUrls = freshUrls;
    }

    /** A server, and how many use it. */
    private static final class Shared {
        private final PerdureServer server;
        private int users;

        Shared(PerdureServer server) {
            this.server = server;
        }
    }

    @Override
    public String freshUrl() {
        return freshUrls.get();
    }

    @Override
    public synchronized Engine open(String url, OpenOptions options) {
        Shared shared = servers.computeIfAbsent(url, _ -> new Shared(serve(url, options)));
        shared.users++;
        ConnectOptions connect = new ConnectOptions(null, options.codec(), PATIENCE, options.limits(), null);
        PerdureClient client = PerdureClient.connect(shared.server.url().toString(), connect);
        AtomicBoolean closed = new AtomicBoolean();
        return (Engine) Proxy.newProxyInstance(
                Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(client, arguments);
                        if (method.getName().equals("close") && closed.compareAndSet(false, true)) {
                            leave(url, shared);
                        }
                        // What register() and start() answer is this engine, too.
                        return answer == client ? proxy : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    private static PerdureServer serve(String url, OpenOptions options) {
        return PerdureServer.over(ServerOptions.of(url).port(0), Perdure.open(url, options));
    }

    private synchronized void leave(String url, Shared shared) {
        shared.users--;
        if (shared.users == 0) {
            servers.remove(url, shared);
            shared.server.close();
        }
    }
}
