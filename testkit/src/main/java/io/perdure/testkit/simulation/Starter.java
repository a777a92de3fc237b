package io.perdure.testkit.simulation;

import io.perdure.core.store.Lease;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts runs, with keys and workflow ids that collide, some delayed, some with a deadline, one or two in a batch. */
final class Starter extends Actor {
    private static final List<WorkflowId> IDS = List.of(new WorkflowId("w1"), new WorkflowId("w2"));
    private static final List<Json> INPUTS = List.of(Json.number(1), Json.number(1), Json.number(1), Json.number(2));

    Starter(World world, String name) {
        super(world, name);
    }

    @Override
    void move() {
        List<RunCommit> starts = new ArrayList<>();
        starts.add(start(world, null));
        if (world.chance(0.2)) {
            starts.add(start(world, null));
        }
        port.send(starts, (_, _) -> {});
    }

    /** A start as chance will have it; with a lease, it is due at once and handed over. */
    static Start start(World world, @Nullable Lease lease) {
        TenantId tenant = world.pick(World.TENANTS);
        RunId run = world.ids.runId();
        world.known.add(new World.Known(tenant, run));
        IdempotencyKey key = world.chance(0.3) ? world.pick(World.KEYS) : null;
        WorkflowId id = world.chance(0.3) ? world.pick(IDS) : null;
        Due deadline = world.chance(0.15) ? Due.in(world.upTo(Duration.ofMinutes(2))) : Due.never();
        Due ready = lease == null && world.chance(0.2) ? Due.in(world.upTo(Duration.ofSeconds(30))) : Due.atOnce();
        Integer version = lease != null || world.chance(0.7) ? 1 : null;
        WorkflowName workflow = world.pick(SampleWorkflow.ALL).name();
        return new Start(
                tenant,
                run,
                new Definition(workflow, version, RunKind.CODE, world.pick(INPUTS), Map.of()),
                ready,
                lease,
                new StartOptions(key, id, deadline, Map.of(), 1, null));
    }

    /** The start of a child. */
    static Start start(TenantId tenant, RunId run, WorkflowName workflow, Json input, RunId parent) {
        return new Start(
                tenant,
                run,
                new Definition(workflow, 1, RunKind.CODE, input, Map.of()),
                Due.atOnce(),
                null,
                new StartOptions(null, null, Due.never(), Map.of(), 1, parent));
    }
}
