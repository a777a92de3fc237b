package io.perdure.testkit.simulation;

import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.TenantId;
import java.util.List;
import java.util.OptionalLong;

/** Cancels, parks, resumes and redrives runs from outside, whatever their status; now and then under the wrong tenant. */
final class Operator extends Actor {
    Operator(World world, String name) {
        super(world, name);
    }

    @Override
    void move() {
        if (world.known.isEmpty()) {
            return;
        }
        World.Known run = world.chance(0.5) ? world.target() : world.pick(world.known);
        TenantId tenant = world.chance(0.05) ? world.pick(World.TENANTS) : run.tenant();
        OptionalLong ifLast = world.chance(0.2) ? OptionalLong.of(world.random.nextInt(0, 4)) : OptionalLong.empty();
        port.send(
                List.of(new RunCommit.Intervene(tenant, run.run(), ifLast, List.of(new Draft(event())), Due.atOnce())),
                (_, _) -> {});
    }

    /** Redrives a run that failed, so that it looks for what came while it was not running. */
    void redrive(World.Known run) {
        finish();
        Draft redriven = new Draft(new Event.RunRedriven(name, Long.toString(world.nonce())));
        port.send(
                List.of(new RunCommit.Intervene(
                        run.tenant(), run.run(), OptionalLong.empty(), List.of(redriven), Due.atOnce())),
                (_, _) -> {});
        finish();
    }

    private void finish() {
        while (port.isBusy()) {
            if (!port.act()) {
                port.reopen();
            }
        }
    }

    private Event event() {
        String nonce = Long.toString(world.nonce());
        return switch (world.random.nextInt(6)) {
            case 0 -> new Event.RunCancelled(name, nonce);
            case 1 -> new Event.RunParked("operator", nonce);
            case 2, 3 -> new Event.RunResumed(name, nonce, null);
            default -> new Event.RunRedriven(name, nonce);
        };
    }
}
