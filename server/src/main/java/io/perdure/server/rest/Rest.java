package io.perdure.server.rest;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.key.Role;
import io.perdure.server.http.Caller;
import io.perdure.server.http.Problems;
import io.perdure.server.http.Query;
import io.perdure.server.http.RequestFigures;
import io.perdure.server.http.UnderWay;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The operations of the server, each at its path. What is registered here and what the document says is the same list. */
public final class Rest {
    private static final int NO_CONTENT = 204;

    private final Site site;
    private final List<Operation> operations;
    private final Paths paths;

    /**
     * Serves the engines of a site.
     *
     * @param alive whether callers can connect to the server
     * @param ready whether the server takes requests
     * @param figures what it shows of itself
     */
    public Rest(Site site, BooleanSupplier alive, BooleanSupplier ready, Supplier<String> figures) {
        this.site = site;
        this.operations = operations(alive, ready, figures);
        this.paths = new Paths(operations);
    }

    private static List<Operation> operations(BooleanSupplier alive, BooleanSupplier ready, Supplier<String> figures) {
        return Stream.of(
                        StartRoutes.operations(),
                        RunListRoutes.operations(),
                        RunRoutes.operations(),
                        RunWaitRoutes.operations(),
                        InterventionRoutes.operations(),
                        UpkeepRoutes.operations(),
                        QueueRoutes.operations(),
                        MessageRoutes.operations(),
                        SettleRoutes.operations(),
                        DeadLetterRoutes.operations(),
                        KeyRoutes.operations(),
                        HealthRoutes.operations(alive, ready),
                        MetricsRoutes.operations(figures),
                        DocumentRoutes.operations())
                .flatMap(List::stream)
                .toList();
    }

    /** All that can be asked. */
    List<Operation> operations() {
        return operations;
    }

    /** Adds the operations to a server's routes; what is at none of their paths goes on to the next route. */
    public void register(HttpRouting.Builder routing) {
        routing.any(this::route);
    }

    private void route(ServerRequest request, ServerResponse response) throws Exception {
        Optional<Paths.Found> found = paths.find(request.prologue().uriPath().rawPath());
        if (found.isEmpty()) {
            response.next();
            return;
        }
        Map<String, Operation> byMethod = found.get().operations();
        String method = request.prologue().method().text();
        Operation operation = byMethod.get(method.equals("HEAD") ? "GET" : method);
        if (operation != null) {
            perform(operation, found.get(), request, response);
        } else if (method.equals("OPTIONS")) {
            response.status(NO_CONTENT)
                    .header(HeaderNames.ALLOW, allowed(byMethod))
                    .send();
        } else {
            Problems.onlyAllows(allowed(byMethod)).handle(request, response);
        }
    }

    private void perform(Operation operation, Paths.Found found, ServerRequest request, ServerResponse response) {
        RequestFigures.say(operation.id());
        Caller caller = admitted(request, operation.role());
        if (caller != null) {
            Whose.say(request, operation, found.named(operation), caller);
        }
        Query query = Query.parse(request.prologue().query().rawValue()).requireOnly(operation.query());
        if (!operation.takesBody() && request.content().hasEntity()) {
            throw InvalidValueException.ofField("body", "is not taken here.");
        }
        try (UnderWay.Place place = place(operation, caller)) {
            Once.perform(
                    operation, new Exchange(site, request, response, found.named(operation), query, caller, place));
        }
    }

    private UnderWay.Place place(Operation operation, @Nullable Caller caller) {
        if (caller == null) {
            return UnderWay.UNCOUNTED;
        }
        if (!operation.isRead()) {
            return site.underWay().enter(caller.tenant());
        }
        return operation.takesTurn() ? site.pages().enter(caller.tenant()) : UnderWay.UNCOUNTED;
    }

    private @Nullable Caller admitted(ServerRequest request, @Nullable Role role) {
        if (role == null) {
            return null;
        }
        Caller caller = site.gate().admit(request);
        if (role == Role.CLIENT) {
            caller.require(Role.CLIENT, Role.WORKER);
        } else {
            caller.require(role);
        }
        return caller;
    }

    private static String allowed(Map<String, Operation> byMethod) {
        TreeSet<String> methods = new TreeSet<>(byMethod.keySet());
        methods.add("OPTIONS");
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return String.join(", ", methods);
    }
}
