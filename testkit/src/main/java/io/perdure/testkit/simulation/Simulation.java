package io.perdure.testkit.simulation;

import io.perdure.core.store.Queue;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunQuery;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.invariant.Fact;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lets actors loose on a store, one call at a time on one thread, in the order that a seed gives: claims, commits, signals,
 * cancels, reclaims and suspends meet in every order, with lost answers, late copies, crashes, zombies and a clock that jumps. Then
 * the faults stop, workers and receivers go on until nothing is left to do, and everything is looked at once more.
 *
 * <p>Time, ids and chance all come from the seed: the same seed on the same store gives the same trace.
 */
public final class Simulation {
    /** What stays after the faults stop is done long before: a simulation that goes on for longer is stuck. */
    private static final int MOST_MOVES_AT_THE_END = 4_000;

    /** Nothing here is meant to wait for longer, so whatever does was lost. */
    private static final Duration HORIZON = Duration.ofHours(6);

    private static final Duration GRACE = Duration.ofMinutes(1);

    private final StoreFactory stores;
    private final Limits limits;

    /** Simulates on stores that come from here, with the limits that hold unless somebody says otherwise. */
    public Simulation(StoreFactory stores) {
        this.stores = stores;
        this.limits = Limits.defaults();
    }

    /** Simulates once and answers with everything that was seen. */
    public SimulationReport run(long seed) {
        World world = new World(stores, limits, seed);
        Keeper keeper = new Keeper(world, "keeper");
        createQueues(world);
        List<Worker> workers = List.of(worker(world, 1), worker(world, 2), worker(world, 3));
        List<Receiver> receivers = List.of(new Receiver(world, "receiver-1"), new Receiver(world, "receiver-2"));
        List<Actor> working =
                Stream.<Actor>concat(workers.stream(), receivers.stream()).toList();
        Operator operator = new Operator(world, "operator");
        List<Actor> everybody = new ArrayList<>(working);
        everybody.addAll(working);
        everybody.addAll(List.of(
                keeper,
                keeper,
                keeper,
                new Starter(world, "starter-1"),
                new Starter(world, "starter-2"),
                new Signaller(world, "signaller"),
                operator,
                new Sender(world, "sender")));
        int moves = world.random.nextInt(150, 500);
        for (int move = 0; move < moves; move++) {
            world.pick(everybody).act();
        }
        world.stopFaults();
        comeToRest(world, workers, receivers, working);
        redriveFailed(world, operator);
        comeToRest(world, workers, receivers, working);
        lastLook(world, keeper);
        SimulationReport report = new SimulationReport(seed, world.enabled, world.occurred, world.trace());
        world.store.close();
        return report;
    }

    private Worker worker(World world, int number) {
        return new Worker(world, "worker-" + number, limits);
    }

    private static void createQueues(World world) {
        QueueSettings defaults = QueueSettings.defaults();
        QueueSettings strict = new QueueSettings(
                defaults.visibility(), 1, true, Duration.ofDays(2), Duration.ofDays(2), defaults.maxDelay());
        QueueSettings lossy = new QueueSettings(
                defaults.visibility(), 2, false, Duration.ofDays(2), Duration.ofDays(2), defaults.maxDelay());
        Port port = new Port(world, "setup");
        for (TenantId tenant : World.TENANTS) {
            port.send(
                    List.of(
                            new QueueCommit.Create(tenant, World.JOBS, strict),
                            new QueueCommit.Create(tenant, World.BULK, lossy)),
                    (_, _) -> {});
            while (port.isBusy()) {
                port.act();
            }
        }
    }

    /** Works until nobody finds anything, moves the clock to when the next thing is due, and so on until nothing is. */
    private static void comeToRest(World world, List<Worker> workers, List<Receiver> receivers, List<Actor> working) {
        int moves = 0;
        int quiet = 0;
        while (quiet < 2 && moves < MOST_MOVES_AT_THE_END) {
            workers.forEach(Worker::wake);
            receivers.forEach(Receiver::wake);
            List<Actor> busy = busy(working);
            while (!busy.isEmpty() && moves < MOST_MOVES_AT_THE_END) {
                world.pick(busy).act();
                moves++;
                busy = busy(working);
            }
            Instant now = world.store.now();
            Duration wait = Stream.concat(
                            workers.stream().flatMap(Worker::nextReady),
                            receivers.stream().flatMap(receiver -> Stream.ofNullable(receiver.nextReady())))
                    .filter(ready -> ready.isAfter(now) && ready.isBefore(now.plus(HORIZON)))
                    .min(Comparator.naturalOrder())
                    .map(ready -> Duration.between(now, ready))
                    .orElse(Duration.ZERO);
            quiet = wait.isZero() ? quiet + 1 : 0;
            world.moveClock(wait.isZero() ? GRACE : wait);
        }
    }

    private static List<Actor> busy(List<Actor> working) {
        return working.stream().filter(actor -> !actor.isIdle()).toList();
    }

    /** Children have ended while their parents had failed: what they left there must be found now. */
    private void redriveFailed(World world, Operator operator) {
        for (TenantId tenant : World.TENANTS) {
            world.store.runs(RunQuery.all(tenant, limits.calls().pageRows())).runs().stream()
                    .filter(row -> row.status() == RunStatus.FAILED)
                    .map(row -> new World.Known(tenant, row.id()))
                    .forEach(operator::redrive);
        }
    }

    private void lastLook(World world, Keeper keeper) {
        world.note("world", new Fact.LastLook());
        for (TenantId tenant : World.TENANTS) {
            world.store.runs(RunQuery.all(tenant, limits.calls().pageRows())).runs().stream()
                    .map(row -> new World.Known(tenant, row.id()))
                    .forEach(world.known::add);
            for (Queue queue : world.store.queues(tenant)) {
                keeper.queue(tenant, queue.name());
            }
            for (SampleWorkflow workflow : SampleWorkflow.ALL) {
                World.KEYS.forEach(key -> keeper.key(tenant, workflow.name(), key));
            }
        }
        world.known.stream().distinct().forEach(run -> {
            keeper.run(run.tenant(), run.run());
            keeper.page(run);
        });
    }
}
