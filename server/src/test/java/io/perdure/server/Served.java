package io.perdure.server;

import io.perdure.core.Perdure;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.worker.Waiting;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A server with something to serve: workflows that complete, fail and are parked, and one, {@code order}, that nobody has the code of.
 * There are keys, so that everybody needs one.
 */
final class Served implements AutoCloseable {
    /** Of all of them, for several can be in front of one store. */
    private static final AtomicInteger QUEUES = new AtomicInteger();

    final PerdureServer server;
    final Asking asking;
    final String admin;
    final String client;
    final String monitor;
    final String stranger;

    Served(ServerOptions options) {
        server = PerdureServer.start(options);
        server.engine()
                .register(Workflow.named("completing").run(Json.class, Json.class, (_, input) -> input))
                .register(Workflow.named("failing").run(Json.class, Json.class, (_, _) -> {
                    throw new IllegalStateException("as it should");
                }))
                .register(Workflow.named("parking").run(Json.class, Json.class, (context, input) -> {
                    context.step("twice", () -> {});
                    context.step("twice", () -> {});
                    return input;
                }))
                .start();
        asking = new Asking(server.url());
        admin = key(TenantId.DEFAULT, Role.ADMIN);
        client = key(TenantId.DEFAULT, Role.CLIENT);
        monitor = key(TenantId.DEFAULT, Role.MONITOR);
        stranger = key(new TenantId("stranger"), Role.ADMIN);
    }

    private String key(TenantId tenant, Role role) {
        return server.engine().keys().create(tenant, "test", role, null).token();
    }

    Perdure engine() {
        return server.engine();
    }

    /** A run that nobody works on. */
    RunId idleRun() {
        return engine().start("order", Json.of("{\"amount\":1}"), StartOptions.defaults())
                .id();
    }

    /** A run of one of the workflows, once it does not go on any more. */
    RunId restingRun(String workflow) {
        Run<Json> run = engine().start(workflow, Json.of("1"), StartOptions.defaults());
        until(() -> !run.status().word().equals("running"));
        return run.id();
    }

    String queue() {
        String name = "q" + QUEUES.incrementAndGet();
        engine().createQueue(name, QueueSettings.defaults().retries(0));
        return name;
    }

    /** A queue with a message in it. */
    String filledQueue() {
        String name = queue();
        engine().queue(name).send(Json.of("{\"to\":\"ada@example.org\"}"));
        return name;
    }

    /** A message that was received. */
    Delivery delivery(String queue) {
        engine().queue(queue).send(Json.of("1"));
        return engine().queue(queue).receive().getFirst();
    }

    static void until(BooleanSupplier holds) {
        try {
            Waiting.until(holds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        asking.close();
        server.close();
    }
}
