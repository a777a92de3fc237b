package io.perdure.cli;

import io.perdure.cli.dev.DevWorkflows;
import io.perdure.core.Perdure;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What the commands of one page find: a store of their own, a server over it that works, and runs, messages and dead letters as each needs them. */
final class Stage implements AutoCloseable {
    private static final Workflow<Json, String> COMPLETES =
            Workflow.named("onboard").run(Json.class, String.class, (ctx, _) -> "done");
    private static final Workflow<Json, String> WAITS = Workflow.named("waits")
            .run(Json.class, String.class, (ctx, _) -> {
                ctx.waitForEvent("courier", Json.class);
                return "done";
            });
    private static final Workflow<Json, String> PARKS = Workflow.named("parks")
            .run(Json.class, String.class, (ctx, _) -> ctx.attempt().toString());
    private static final Workflow<Json, String> FAILS = Workflow.named("fails")
            .run(Json.class, String.class, (ctx, _) -> {
                ctx.step(
                        "fail",
                        () -> {
                            throw new IllegalStateException("as it is meant to");
                        },
                        Retry.never());
                return "never";
            });

    private final String store;
    private final PerdureServer server;
    private final Perdure engine;
    private final AtomicInteger made = new AtomicInteger();

    private Stage(String store) {
        this.store = store;
        this.server = PerdureServer.start(ServerOptions.of(store).port(0));
        this.engine = server.engine();
        for (WorkflowDefinition workflow : DevWorkflows.all()) {
            engine.register(workflow);
        }
        engine.register(COMPLETES)
                .register(WAITS)
                .register(PARKS)
                .register(FAILS)
                .start();
    }

    static Stage in(Path folder) {
        return new Stage("jdbc:sqlite:" + folder.resolve("page.db"));
    }

    String store() {
        return store;
    }

    String url() {
        return server.url().toString();
    }

    /** A run as this command of {@code perdure runs} takes it. */
    String runFor(String command) {
        return switch (command) {
            case "watch" -> run(COMPLETES, Event.RunCompleted.class);
            case "resume" -> run(PARKS, Event.RunParked.class);
            case "redrive" -> run(FAILS, Event.RunFailed.class);
            default -> run(WAITS, Event.WaitStarted.class);
        };
    }

    private String run(Workflow<Json, String> workflow, Class<? extends Event> until) {
        Run<String> run = engine.start(workflow, Json.of("{}"));
        RunsFixture.await(run, until);
        return run.id().toString();
    }

    /** A receipt of a message of this queue. */
    String receipt(String queue) {
        return delivery(queue).receipt().toString();
    }

    /** A dead letter of this queue. */
    String deadLetter(String queue) {
        Delivery delivery = delivery(queue);
        delivery.reject("as it is meant to");
        return delivery.id().toString();
    }

    private Delivery delivery(String name) {
        MessageQueue queue = engine.queue(name);
        Json body = Json.of("{\"made\": " + made.incrementAndGet() + "}");
        queue.send(body);
        List<Delivery> deliveries = queue.receive(Receiving.upTo(1).matching(body));
        return deliveries.getFirst();
    }

    @Override
    public void close() {
        server.close();
    }
}
