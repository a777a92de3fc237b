package io.perdure.testkit.simulation;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.testkit.invariant.Fact;
import java.time.Duration;
import java.util.List;

/** Sweeps, reads what is there, moves the clock, and lets late copies arrive. */
final class Keeper extends Actor {
    private static final Limits.Calls MOST = Limits.defaults().calls();

    Keeper(World world, String name) {
        super(world, name);
    }

    @Override
    void move() {
        switch (world.random.nextInt(8)) {
            case 0 -> sweep();
            case 1 -> read();
            case 2 -> queue(world.pick(World.TENANTS), world.pick(World.QUEUES));
            case 3 ->
                key(world.pick(World.TENANTS), world.pick(SampleWorkflow.ALL).name(), world.pick(World.KEYS));
            case 4 -> {
                if (!world.underWay.isEmpty()) {
                    Port.deliverCopy(world);
                }
            }
            default -> clock();
        }
    }

    private void sweep() {
        Sweep what = world.pick(List.of(Sweep.values()));
        int since = world.position();
        int count = world.store.sweep(what, MOST.sweepRows());
        world.note(since, name, new Fact.Swept(what, count));
    }

    private void read() {
        if (!world.known.isEmpty()) {
            World.Known run = world.pick(world.known);
            if (world.chance(0.3)) {
                page(run);
            } else {
                run(asker(run), run.run());
            }
        }
    }

    /** Who asks for a run: its tenant, and now and then another. */
    private TenantId asker(World.Known run) {
        return world.chance(0.1)
                ? world.pick(World.TENANTS.stream()
                        .filter(tenant -> !tenant.equals(run.tenant()))
                        .toList())
                : run.tenant();
    }

    void page(World.Known known) {
        TenantId tenant = asker(known);
        RunId run = known.run();
        int from = world.random.nextInt(0, 3);
        int limit = world.random.nextInt(1, 4);
        int since = world.position();
        var events = world.store.history(tenant, run, from, limit);
        world.note(since, name, new Fact.HistoryRead(tenant, run, from, limit, events));
    }

    void run(TenantId tenant, RunId run) {
        int since = world.position();
        List<RunSnapshot> found = world.store.snapshots(tenant, List.of(run));
        found.forEach(snapshot -> world.note(since, name, new Fact.RunRead(tenant, snapshot)));
        if (found.isEmpty()) {
            world.note(since, name, new Fact.RunAbsent(tenant, run));
        }
    }

    void queue(TenantId tenant, QueueName queue) {
        int since = world.position();
        var messages = world.store.messages(new MessageQuery(tenant, queue, false, null, MOST.pageRows()));
        world.store
                .figures(tenant, queue)
                .ifPresent(figures -> world.note(since, name, new Fact.QueueRead(tenant, queue, messages, figures)));
    }

    void key(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
        int since = world.position();
        RunId run = world.store.runOf(tenant, workflow, key).orElse(null);
        world.note(since, name, new Fact.KeyRead(tenant, workflow, key, run));
    }

    private void clock() {
        if (world.fault(Fault.CLOCK_BACK, 0.1)) {
            world.moveClock(world.upTo(Duration.ofSeconds(2)).negated());
        } else if (world.fault(Fault.HOUR_JUMP, 0.04)) {
            Duration jump = world.upTo(Duration.ofHours(1));
            world.moveClock(world.chance(0.5) ? jump : jump.negated());
        } else if (world.fault(Fault.DAYS_PASS, 0.04)) {
            world.moveClock(Duration.ofHours(30));
        } else {
            world.moveClock(world.upTo(world.chance(0.7) ? Duration.ofSeconds(2) : Duration.ofSeconds(12)));
        }
    }
}
