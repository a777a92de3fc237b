package io.perdure.cli;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;

/** Runs of orders: one step, then a wait. */
abstract class OrderFixture extends RunsFixture {
    static final Workflow<String, String> ORDER = Workflow.named("order").run(String.class, String.class, (ctx, id) -> {
        ctx.step("reserve", () -> {});
        ctx.waitForEvent("word", Json.class);
        return id;
    });

    /** The same version, changed under its runs. */
    static final Workflow<String, String> CHANGED = Workflow.named("order")
            .run(String.class, String.class, (ctx, id) -> {
                ctx.step("charge", () -> {});
                return id;
            });

    /** A run that nobody works on, and that has this version, if it is above nought. */
    String started(int version) {
        StartOptions options = StartOptions.defaults();
        try (Perdure perdure = Perdure.open(store)) {
            return perdure.start("order", Json.of("\"o-1\""), version > 0 ? options.version(version) : options)
                    .id()
                    .toString();
        }
    }

    /** A run that waits for an event, of version 1. */
    String waiting() {
        try (Perdure worker = Perdure.open(store).register(ORDER).start()) {
            Run<String> run = worker.start(ORDER, "o-1");
            await(run, Event.WaitStarted.class);
            return run.id().toString();
        }
    }

    /** A run whose code asked for another step than what it has recorded. */
    String parked() {
        String id = waiting();
        try (Perdure worker = Perdure.open(store).register(CHANGED).start()) {
            worker.signal(RunId.parse(id), "word", null);
            await(worker.run(RunId.parse(id)), Event.RunParked.class);
        }
        return id;
    }
}
