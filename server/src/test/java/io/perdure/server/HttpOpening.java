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
    private final Serving serving;
    private final Map<String, Shared> servers = new HashMap<>();

    HttpOpening(Supplier<String> freshUrls) {
        this(freshUrls, HttpOpening::serve);
    }

    private HttpOpening(Supplier<String> freshUrls, Serving serving) {
        this.freshUrls = freshUrls;
        this.serving = serving;
    }

    /** Has each server run in a process of its own, with the usual options: what keeps this process busy does not hold it up. */
    static HttpOpening withServerProcesses(Supplier<String> freshUrls) {
        return new HttpOpening(freshUrls, (url, _) -> {
            ServerProcess server = ServerProcess.start(url);
            return new Running(server.url(), server::close);
        });
    }

    /** Has a server run over the store at a URL. */
    private interface Serving {
        Running serve(String url, OpenOptions options);
    }

    private record Running(String url, Runnable close) {}

    /** A server, and how many use it. */
    private static final class Shared {
        private final Running server;
        private int users;

        Shared(Running server) {
            this.server = server;
        }
    }

    @Override
    public String freshUrl() {
        return freshUrls.get();
    }

    @Override
    public synchronized Engine open(String url, OpenOptions options) {
        Shared shared = servers.computeIfAbsent(url, _ -> new Shared(serving.serve(url, options)));
        shared.users++;
        ConnectOptions connect = new ConnectOptions(null, options.codec(), PATIENCE, options.limits(), null);
        PerdureClient client = PerdureClient.connect(shared.server.url(), connect);
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

    private static Running serve(String url, OpenOptions options) {
        PerdureServer server = PerdureServer.over(ServerOptions.of(url).port(0), Perdure.open(url, options));
        return new Running(server.url().toString(), server::close);
    }

    private synchronized void leave(String url, Shared shared) {
        shared.users--;
        if (shared.users == 0) {
            servers.remove(url, shared);
            shared.server.close().run();
        }
    }
}
