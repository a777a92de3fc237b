package io.perdure.core.workflow;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.MailboxPage;
import io.perdure.core.store.Store;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Operations;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.worker.LoggedRuns;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.worker.Worker;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The runs of one tenant in one store, as {@code Perdure} holds them; users get theirs there. Safe for many threads. */
public final class Workflows implements AutoCloseable {
    private final Setup setup;
    private final Registry registry = new Registry();
    private final Results results;
    private final Starts starts;
    private final Interventions interventions;
    private final Listing listing;
    private final Recovery recovery;
    private final Moves moves;
    private final LocalOperations operations;
    private final List<WorkerDesk> desks = new CopyOnWriteArrayList<>();
    private volatile @Nullable Engine engine;
    private volatile @Nullable Upkeep upkeep;
    private Store.@Nullable Ownership ownership;

    /**
     * What runs are kept with and worked on by.
     *
     * @param largeRuns what all tenants of the engine share
     */
    public record Setup(
            Store store,
            Ledger ledger,
            Environment environment,
            TenantId tenant,
            Codec codec,
            Limits limits,
            Telemetry telemetry,
            LargeRunRoom largeRuns) {
        /** For an engine of one tenant. */
        public Setup(
                Store store,
                Ledger ledger,
                Environment environment,
                TenantId tenant,
                Codec codec,
                Limits limits,
                Telemetry telemetry) {
            this(
                    store,
                    ledger,
                    environment,
                    tenant,
                    codec,
                    limits,
                    telemetry,
                    new LargeRunRoom(environment, limits.runs().lease()));
        }
    }

    /** What works on runs, once it was started. */
    private record Engine(Worker worker, Passing passing, Announcing announcing) {}

    public Workflows(Setup setup) {
        this.setup = setup;
        this.results = new Results(setup.store(), setup.environment(), setup.tenant(), this::isWorkingOn);
        this.starts = new Starts(setup, registry);
        this.interventions = new Interventions(setup);
        this.listing = new Listing(setup);
        this.recovery = new Recovery(setup, registry);
        this.moves = new Moves(setup, registry, interventions);
        this.operations = new LocalOperations(
                setup, new Bulk(setup.store(), listing, interventions, this::taken), moves, recovery);
    }

    /** Adds a workflow that this process has code for; {@code PD-507} once it works, or for the same version twice. */
    public synchronized void register(WorkflowDefinition workflow) {
        if (engine != null) {
            throw new WorkflowCodeException(
                    ErrorCode.REGISTRATION, "Workflow %s was registered after start().".formatted(workflow));
        }
        registry.add(workflow);
    }

    /**
     * Begins to work on runs. {@code PD-507} where no workflow is registered, {@code PD-211} where another process works on this
     * store's runs and it serves only one. Starting again does nothing.
     */
    public synchronized void work() {
        if (engine != null) {
            return;
        }
        if (registry.isEmpty()) {
            throw new WorkflowCodeException(ErrorCode.REGISTRATION, "No workflow is registered.");
        }
        boolean owned = ownership != null;
        Announcing announcing = new Announcing(setup, registry.served());
        starts.forgetWorkers();
        own();
        try {
            announcing.begin();
        } catch (RuntimeException e) {
            if (!owned) {
                disown();
            }
            throw e;
        }
        LocalBackend backend = new LocalBackend(setup, registry.served());
        Worker worker = Worker.start(new Worker.Setup(
                backend,
                registry,
                setup.codec(),
                setup.environment(),
                setup.limits(),
                setup.limits().workers().concurrency(),
                setup.telemetry().surroundings().and(LoggedRuns.ifSetUp()),
                results::follower));
        engine = new Engine(worker, new Passing(backend, worker, new SignalledReads(setup.environment())), announcing);
        setup.telemetry()
                .over(new Telemetry.Work(
                        worker::working,
                        worker::abandonedThreads,
                        setup.limits().workers().concurrency()));
        announcing.start();
        if (upkeep == null) {
            upkeep = Upkeep.ofStore(setup, deadlines(), recovery);
        }
    }

    /**
     * Does the upkeep of the store's runs for workers elsewhere; {@code PD-211} where another process works on this store's runs and it
     * serves only one. Again does nothing.
     */
    public synchronized void serve() {
        if (upkeep == null) {
            own();
            upkeep = Upkeep.ofStore(setup, deadlines(), recovery);
        }
    }

    /** Does the upkeep of this tenant's runs, beside an engine of another one that {@linkplain #serve serves} their store. */
    public synchronized void serveBeside() {
        if (upkeep == null) {
            upkeep = Upkeep.ofTenant(setup, deadlines(), recovery);
        }
    }

    private Deadlines deadlines() {
        return new Deadlines(setup, interventions, this::taken);
    }

    private void own() {
        if (ownership == null) {
            ownership = setup.store().own();
        }
    }

    private void disown() {
        if (ownership != null) {
            ownership.close();
            ownership = null;
        }
    }

    /** Starts a run of a workflow, or answers the one that a key leads to. */
    public <I, O> Run<O> start(Workflow<I, O> workflow, @Nullable I input, StartOptions options) {
        return begun(starts.start(passing(), workflow, input, options), workflow.output());
    }

    /** Starts a run of a StepFlow, or answers the one that a key leads to. */
    public Run<Json> start(StepFlow flow, @Nullable Object input, StartOptions options) {
        return begun(starts.start(passing(), flow, input, options), Json.class);
    }

    /** Starts a run of a workflow that this process need not have the code of. */
    public Run<Json> start(
            WorkflowName workflow, @Nullable RunKind kind, Json input, StartOptions options, @Nullable RunId id) {
        return begun(starts.start(passing(), new Starts.Named(workflow, kind, input), options, id), Json.class);
    }

    private <O> Run<O> begun(Starts.Begun begun, Type output) {
        return new Run<>(new LocalRuns(setup, results, begun.ending()), begun.run(), output, begun.created());
    }

    /** A run that was started before, by whomever; {@code PD-301} where there is none. */
    public <T> Run<T> run(RunId id, Type type) {
        results.row(id);
        return new Run<>(new LocalRuns(setup, results, null), id, type, false);
    }

    /** Sends a signal to a run; false where one with this deduplication id came before. */
    public boolean signal(
            RunId run, EventName event, @Nullable Object payload, @Nullable DeduplicationId deduplicationId) {
        return interventions.signal(run, event, payload, deduplicationId, passing());
    }

    /** Cancels a run; false where it was cancelled before. */
    public boolean cancel(RunId run, String reason) {
        boolean ended = interventions.cancel(run, reason);
        taken(run);
        return ended;
    }

    /** A run was ended from here: where it is worked on here too, that is in vain. */
    private void taken(RunId run) {
        Engine working = engine;
        if (working != null) {
            working.worker().taken(run);
        }
    }

    /** Puts a failed run back to work where it failed. */
    public void redrive(RunId run, String reason) {
        interventions.redrive(run, reason);
    }

    /** Has a run go on with another version, by who has looked whether it fits at a history that ended with this event. */
    public void moveAfter(RunId run, long last, int version, String reason) {
        moves.moveAfter(run, last, version, reason);
    }

    /** A page of the signals that a run has not taken, from a number on, which ends once it has the given number of bytes; {@code PD-301} where there is no such run. */
    public MailboxPage mailbox(RunId run, long from, long bytes) {
        return setup.store().mailbox(setup.tenant(), run, from, bytes).orElseGet(() -> {
            // Throws, and says so.
            results.row(run);
            return new MailboxPage(0, List.of(), false);
        });
    }

    /** What is done to many runs, or for their upkeep. */
    public Operations operations() {
        return operations;
    }

    /** What a server needs for workers that are elsewhere. */
    public WorkerDesk desk() {
        WorkerDesk desk = new WorkerDesk(setup, starts::forgetWorkers);
        desks.add(desk);
        return desk;
    }

    /** A page of runs, from a place that the page before named. */
    public RunList list(RunFilter filter, int limit, @Nullable String after) {
        return listing.list(filter, limit, after);
    }

    /** How many runs a filter finds. */
    public long count(RunFilter filter) {
        return listing.count(filter);
    }

    /** How many runs of each workflow are in each status, by the store's books. */
    public List<RunCount> counts() {
        return setup.store().runCounts(setup.tenant());
    }

    /** Puts a parked run back to work, with its version or another one. */
    public void resume(RunId run, String reason, @Nullable Integer version) {
        interventions.resume(run, reason, version);
    }

    /** A page of a run's history, which ends early where its events are large; {@code PD-301} where there is no such run. */
    public List<Recorded> history(RunId id, long from, int limit) {
        List<Recorded> page = setup.store()
                .history(setup.tenant(), id, from, limit, setup.limits().calls().readBytes());
        if (page.isEmpty()) {
            // None to come after the last, or no such run.
            results.row(id);
        }
        return page;
    }

    /** Ends every wait for runs as if its time were over, those to come too. */
    public void endWaits() {
        results.endWaits();
    }

    /** Why the newest of what is done again and again for runs failed; empty where nothing did. */
    public Optional<RuntimeException> sweepFailure() {
        return Optional.ofNullable(upkeep)
                .flatMap(Upkeep::failure)
                .or(() -> Optional.ofNullable(engine)
                        .flatMap(working -> working.announcing().failure()));
    }

    private @Nullable Passing passing() {
        Engine working = engine;
        return working == null ? null : working.passing();
    }

    private boolean isWorkingOn(RunId run) {
        Engine working = engine;
        return working != null && working.worker().isWorkingOn(run);
    }

    /** How many runs this process works on now. */
    public int working() {
        Engine working = engine;
        return working == null ? 0 : working.worker().working();
    }

    /** Lets go of all runs within their time to drain, and ends every wait with {@code PD-203}. */
    @Override
    public void close() {
        closeBy(setup.environment().nanoTime()
                + TimeUnit.NANOSECONDS.convert(setup.limits().workers().drain()));
    }

    /**
     * Claims no more runs, and lets go of all at their next step; does not wait for them.
     *
     * @param untilNanos when {@link #closeBy} interrupts steps that still run, by the environment's nanoseconds; the first call counts
     */
    public void leaveBy(long untilNanos) {
        Engine working = engine;
        if (working != null) {
            working.worker().leaveBy(untilNanos);
        }
    }

    /**
     * Lets go of all runs, and ends every wait with {@code PD-203}.
     *
     * @param untilNanos when steps that still run are interrupted, by the environment's nanoseconds
     */
    public synchronized void closeBy(long untilNanos) {
        results.close();
        leaveBy(untilNanos);
        Engine working = engine;
        if (working != null) {
            // Before it waits for its runs: nobody is to count on a worker that is about to be gone.
            working.announcing().close();
        }
        Upkeep tended = upkeep;
        if (tended != null) {
            tended.closeBy(untilNanos);
        }
        if (working != null) {
            working.worker().close();
        }
        desks.forEach(WorkerDesk::close);
        disown();
    }
}
