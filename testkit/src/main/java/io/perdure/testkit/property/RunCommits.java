package io.perdure.testkit.property;

import io.perdure.core.store.Histories;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Draws starts, interventions and signals: mostly such as the model's state allows, and some that it does not. */
final class RunCommits {
    private final Dice dice;
    private final World world;
    private final Store model;
    private final Advances advances;
    private final RunQueries lists;

    RunCommits(Dice dice, World world, Store model, QueueCommits queues) {
        this.lists = new RunQueries(dice, model);
        this.dice = dice;
        this.world = world;
        this.model = model;
        this.advances = new Advances(dice, world, model, queues);
    }

    /** Begins a new batch: commits on one run follow each other in it. */
    void beginBatch() {
        advances.beginBatch();
    }

    RunCommit next() {
        return switch (dice.weighted(24, 42, 14, 20)) {
            case 0 -> start();
            case 1 -> advances.next().map(RunCommit.class::cast).orElseGet(this::start);
            case 2 -> intervene();
            default -> signal();
        };
    }

    private Start start() {
        boolean leased = dice.chance(35);
        Definition definition = new Definition(
                dice.pick(World.WORKFLOWS),
                leased || dice.chance(75) ? (Integer) dice.from(1, 2) : null,
                RunKind.CODE,
                dice.json(),
                Map.of());
        return new Start(
                dice.chance(80) ? World.TENANTS.getFirst() : World.TENANTS.getLast(),
                dice.chance(97) ? dice.ids.runId() : someRun().run(),
                definition,
                leased || dice.chance(60) ? Due.atOnce() : dueSoon(),
                leased ? dice.lease() : null,
                options());
    }

    private StartOptions options() {
        return new StartOptions(
                dice.chance(30) ? new IdempotencyKey(dice.key(12)) : null,
                dice.chance(50) ? new WorkflowId(dice.key(4)) : null,
                dice.chance(20) ? Due.in(dice.upTo(Duration.ofMinutes(2))) : Due.never(),
                lists.tags(),
                dice.from(1, 2),
                dice.chance(25) ? someRun().run() : null);
    }

    Due dueSoon() {
        return dice.chance(70)
                ? Due.in(dice.upTo(Duration.ofSeconds(40)))
                : Due.at(model.now().plus(dice.upTo(Duration.ofMinutes(1))).minusSeconds(20));
    }

    private World.Started someRun() {
        return dice.pickRecent(world.runs)
                .filter(_ -> dice.chance(97))
                .orElseGet(() -> new World.Started(dice.pick(World.TENANTS), dice.ids.runId()));
    }

    /** One that might be redriven, were its workflow id free. */
    private World.Started someFailedRun() {
        TenantId tenant = dice.pick(World.TENANTS);
        return dice.pickRecent(lists.in(tenant, RunStatus.FAILED, 50).stream()
                        .filter(row -> row.workflowId() != null)
                        .toList())
                .map(row -> new World.Started(tenant, row.id()))
                .orElseGet(this::someRun);
    }

    private Intervene intervene() {
        World.Started run = dice.chance(25) ? someFailedRun() : someRun();
        Optional<RunSnapshot> snapshot =
                model.snapshots(run.tenant(), List.of(run.run())).stream().findFirst();
        RunStatus status = snapshot.map(seen -> seen.run().status()).orElse(RunStatus.RUNNING);
        Event event = dice.chance(80) ? fitting(status) : any();
        OptionalLong ifLast = dice.chance(25)
                ? OptionalLong.of(snapshot.map(RunSnapshot::last).orElse(0L) + (dice.chance(70) ? 0 : 1))
                : OptionalLong.empty();
        List<Draft> several = List.of(new Draft(fitting(status)), new Draft(timedOut()), new Draft(any()));
        return new Intervene(
                run.tenant(),
                run.run(),
                ifLast,
                dice.chance(15) && !endsEarly(several) ? several : List.of(new Draft(event)),
                dice.chance(70) ? Due.atOnce() : dueSoon());
    }

    /** Whether an event that ends or parks comes before the last: such a commit cannot even be made. */
    private static boolean endsEarly(List<Draft> events) {
        return events.stream().limit(events.size() - 1L).anyMatch(draft -> Histories.ends(List.of(draft)));
    }

    private Event fitting(RunStatus status) {
        return switch (status) {
            case RUNNING ->
                switch (dice.weighted(30, 25, 25, 20)) {
                    case 0 -> cancelled();
                    case 1 -> parked();
                    case 2 -> timedOut();
                    default -> failed();
                };
            case PARKED -> dice.chance(70) ? resumed() : cancelled();
            case FAILED, COMPLETED, CANCELLED -> redriven();
        };
    }

    private Event any() {
        return dice.pick(List.of(cancelled(), parked(), timedOut(), resumed(), redriven(), failed()));
    }

    static Event cancelled() {
        return new Event.RunCancelled("operator", "");
    }

    static Event parked() {
        return new Event.RunParked("mismatch", "a is not b");
    }

    static Event failed() {
        return new Event.RunFailed(new Failure("Broken", "it broke", null));
    }

    static Event timedOut() {
        return new Event.WaitTimedOut(new StepName("wait"));
    }

    private static Event redriven() {
        return new Event.RunRedriven("operator", "again");
    }

    private Event resumed() {
        return new Event.RunResumed("operator", "fixed", dice.chance(30) ? (Integer) dice.from(1, 3) : null);
    }

    /** Ends an old run, so that a long run of operations does not fill up with runs that nobody looks at. */
    static Intervene reap(TenantId tenant, RunId run) {
        return new Intervene(tenant, run, cancelled());
    }

    private Signal signal() {
        World.Started run = someRun();
        return new Signal(
                run.tenant(),
                run.run(),
                dice.pick(World.EVENTS),
                dice.json(),
                dice.chance(30) ? new DeduplicationId(dice.key(4)) : null);
    }
}
