package io.perdure.testkit.simulation;

import io.perdure.core.store.RunCommit;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import java.util.List;

/** Signals runs whatever they are doing: too early, too late, twice, and now and then under the wrong tenant. */
final class Signaller extends Actor {
    private static final List<DeduplicationId> IDS = List.of(new DeduplicationId("s1"), new DeduplicationId("s2"));

    Signaller(World world, String name) {
        super(world, name);
    }

    @Override
    void move() {
        if (world.known.isEmpty()) {
            return;
        }
        World.Known run = world.target();
        TenantId tenant = world.chance(0.05) ? world.pick(World.TENANTS) : run.tenant();
        port.send(
                List.of(new RunCommit.Signal(
                        tenant,
                        run.run(),
                        world.pick(World.EVENTS),
                        Json.number(world.nonce()),
                        world.chance(0.3) ? world.pick(IDS) : null)),
                (_, _) -> {});
    }
}
