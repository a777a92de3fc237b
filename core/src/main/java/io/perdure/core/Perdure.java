package io.perdure.core;

import io.perdure.core.key.ApiKeys;
import io.perdure.core.queue.Queues;
import io.perdure.core.request.Requests;
import io.perdure.core.store.MailboxPage;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.workflow.WorkerDesk;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessageHandler;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.run.Operations;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The engine inside this process, over one store. Open one per store and share it: it is safe for many threads, and what they
 * write at the same time shares one flush to the disk. Every method may throw a {@link PerdureException}, whose code says
 * what happened; after {@link #close} that is {@code PD-203}.
 */
public final class Perdure implements Engine {
    private final House house;
    private final TenantId tenant;
    private final Queues queues;
    private final Workflows workflows;

    private Perdure(House house, TenantId tenant, Queues queues, Workflows workflows) {
        this.house = house;
        this.tenant = tenant;
        this.queues = queues;
        this.workflows = workflows;
    }

    /** Opens the store that a URL names, such as {@code jdbc:sqlite:app.db}, creating it where there is none. */
    public static Perdure open(String url) {
        return open(url, OpenOptions.defaults());
    }

    /** Opens the store that a URL names, with options. */
    public static Perdure open(String url, OpenOptions options) {
        Objects.requireNonNull(options, "options");
        Environment environment = new SystemEnvironment();
        return over(Stores.open(url, environment, options.limits()), environment, options);
    }

    /** The engine over a store that is open; closes the store where it cannot go on, and in the end. */
    static Perdure over(Store store, Environment environment, OpenOptions options) {
        House house = House.open(store, environment, options);
        try {
            TenantId tenant = options.tenant();
            Queues queues = Queues.open(house.store(), house.ledger(), environment, tenant);
            Perdure engine = new Perdure(house, tenant, queues, house.workflows(tenant));
            house.tenants().put(tenant, engine);
            return engine;
        } catch (RuntimeException | Error e) {
            house.close();
            throw e;
        }
    }

    /** The engine of a tenant over the same store, one per tenant. It is closed with the engine that was opened, not by itself. */
    public Perdure tenant(TenantId other) {
        return house.tenants().computeIfAbsent(other, this::beside);
    }

    private Perdure beside(TenantId other) {
        Queues theirs = Queues.beside(house.store(), house.ledger(), house.environment(), other);
        Perdure engine = new Perdure(house, other, theirs, house.workflows(other));
        if (house.serves().get()) {
            engine.workflows.serveBeside();
        }
        return engine;
    }

    /**
     * Looks after the runs of all tenants for workers elsewhere: cancels those past their deadline, mends those that nothing brings on, removes
     * those whose time is over. A SQLite file has one process that does so: {@code PD-211} where that is another one. Where this process works
     * on runs it does that anyway.
     */
    public Perdure serve() {
        Perdure opened = tenant(house.options().tenant());
        opened.workflows.serve();
        house.serves().set(true);
        // A tenant whom nobody has asked for yet has runs that time goes on for, too.
        house.keys().list().forEach(key -> tenant(key.tenant()));
        house.tenants().values().stream()
                .filter(engine -> !engine.equals(opened))
                .forEach(engine -> engine.workflows.serveBeside());
        return this;
    }

    /** Whose runs and queues these are. */
    public TenantId tenant() {
        return tenant;
    }

    /** Reads anew what meters tell of the store as it stands, for whoever is about to look at them; by itself that is done every ten seconds. */
    public void readMeters() {
        house.telemetry().read();
    }

    /** Asks the store for the time; throws what it throws where it cannot be reached. */
    public Instant now() {
        return house.store().now();
    }

    @Override
    public Perdure register(WorkflowDefinition workflow) {
        workflows.register(workflow);
        return this;
    }

    @Override
    public Perdure start() {
        workflows.work();
        return this;
    }

    @Override
    public <I, O> Run<O> start(Workflow<I, O> workflow, @Nullable I input, StartOptions options) {
        return workflows.start(workflow, input, options);
    }

    @Override
    public Run<Json> start(StepFlow flow, @Nullable Object input, StartOptions options) {
        return workflows.start(flow, input, options);
    }

    @Override
    public Run<Json> start(String workflow, Json input, StartOptions options) {
        return workflows.start(new WorkflowName(workflow), null, input, options, null);
    }

    /**
     * The same under an id that the caller has made, so that it can be sent again: a second start of the same workflow with an equal input
     * answers the first one's run, as the first did. {@code PD-303} where the id is another start's.
     *
     * @param kind how the workflow is written, where the caller knows
     * @param id absent for a fresh one
     */
    public Run<Json> start(
            String workflow, @Nullable RunKind kind, Json input, StartOptions options, @Nullable RunId id) {
        return workflows.start(new WorkflowName(workflow), kind, input, options, id);
    }

    @Override
    public Run<Json> run(RunId id) {
        return workflows.run(id, Json.class);
    }

    @Override
    public <O> Run<O> run(Workflow<?, O> workflow, RunId id) {
        return workflows.run(id, workflow.output());
    }

    /** A page of a run's events from this number on; empty after the last one. {@code PD-301} where there is no such run. */
    public List<Recorded> history(RunId run, long from, int limit) {
        return workflows.history(run, from, limit);
    }

    @Override
    public boolean signal(RunId run, String event, @Nullable Object payload) {
        return workflows.signal(run, new EventName(event), payload, null);
    }

    @Override
    public boolean signal(RunId run, String event, @Nullable Object payload, String deduplicationId) {
        return workflows.signal(run, new EventName(event), payload, new DeduplicationId(deduplicationId));
    }

    @Override
    public boolean cancel(RunId run, String reason) {
        return workflows.cancel(run, reason);
    }

    @Override
    public RunList runs(RunFilter filter, int limit) {
        return workflows.list(filter, limit, null);
    }

    @Override
    public RunList runs(RunFilter filter, int limit, String after) {
        return workflows.list(filter, limit, after);
    }

    @Override
    public long count(RunFilter filter) {
        return workflows.count(filter);
    }

    @Override
    public List<RunCount> runCounts() {
        return workflows.counts();
    }

    @Override
    public void resume(RunId run, String reason) {
        workflows.resume(run, reason, null);
    }

    @Override
    public void resume(RunId run, String reason, int version) {
        workflows.resume(run, reason, version);
    }

    @Override
    public void redrive(RunId run, String reason) {
        workflows.redrive(run, reason);
    }

    @Override
    public Operations operations() {
        return workflows.operations();
    }

    /**
     * Has a run that is running or parked go on with another version, for whoever has looked elsewhere whether it fits ({@link Operations#check}).
     * {@code PD-313} where the run has gone on since then, {@code PD-304} while somebody works on it.
     *
     * @param last the number of the run's last event at that look
     */
    public void move(RunId run, int version, long last, String reason) {
        workflows.moveAfter(run, last, version, reason);
    }

    /** What a server needs for workers that are elsewhere. */
    public WorkerDesk desk() {
        return workflows.desk();
    }

    /** What a server needs for a consumer of this queue that is elsewhere; {@code PD-401} where there is no such queue. */
    public QueueBackend backend(QueueName queue) {
        return queues.backend(queue);
    }

    /** The API keys of the store, of all tenants: for whoever serves this engine to others. The engine itself asks for none. */
    public ApiKeys keys() {
        return house.keys();
    }

    /** The requests of this tenant that may be sent again: for whoever serves this engine to others. */
    public Requests requests() {
        return house.requests(tenant);
    }

    /** Signals that a run has not taken yet, from a number on, up to a number of bytes; {@code PD-301} where there is no such run. */
    public MailboxPage mailbox(RunId run, long from, long bytes) {
        return workflows.mailbox(run, from, bytes);
    }

    @Override
    public int working() {
        return workflows.working();
    }

    @Override
    public MessageQueue createQueue(String name, QueueSettings settings) {
        return queues.create(new QueueName(name), settings);
    }

    @Override
    public MessageQueue queue(String name) {
        return queues.queue(new QueueName(name));
    }

    @Override
    public List<QueueStatus> queues() {
        return queues.all();
    }

    @Override
    public QueueConsumer consume(String queue, ConsumeOptions options, MessageHandler handler) {
        return queues.consume(new QueueName(queue), options, handler);
    }

    @Override
    public List<Receipt> ackAll(List<Receipt> receipts) {
        return queues.ackAll(receipts);
    }

    /**
     * Acknowledges messages again after a call whose answer was lost. A receipt whose message is in no queue and no dead letter
     * queue is not too late: nobody gets that message again.
     *
     * @return the receipts that came too late, because their message is ready again, with somebody else, or a dead letter
     */
    public List<Receipt> ackAgain(List<Receipt> receipts) {
        return queues.ackAgain(receipts);
    }

    @Override
    public Fate retry(Receipt receipt, Duration delay, String error) {
        return queues.retry(receipt, delay, error);
    }

    @Override
    public Fate reject(Receipt receipt, String error) {
        return queues.reject(receipt, error);
    }

    @Override
    public void release(Receipt receipt) {
        queues.release(receipt);
    }

    @Override
    public Instant extend(Receipt receipt, Duration length) {
        return queues.extend(receipt, length);
    }

    @Override
    public ExtendedLeases extendAll(List<Receipt> receipts, Duration length) {
        return queues.extendAll(receipts, length);
    }

    /**
     * Why the newest try of this engine's background work failed, such as retention or its sign of life; empty if none has.
     * Failed work is tried again and logged.
     */
    public Optional<RuntimeException> sweepFailure() {
        return queues.sweepFailure().or(workflows::sweepFailure);
    }

    /**
     * Ends the waits for messages, and for runs that were found by their ids, of all tenants known so far, as if their time were over. Later waits end at once.
     * Starts the time to drain, which {@link #close} then has less of, and lets go of the runs that are worked on, each at its next step. For a server that is about to
     * close this and has callers to answer first. A caller that started a run which this process works on goes on waiting.
     */
    public void endWaits() {
        long until = startDrain();
        house.tenants().values().forEach(engine -> {
            engine.workflows.leaveBy(until);
            engine.queues.endWaits();
            engine.workflows.endWaits();
        });
    }

    /**
     * Closes the consumers (see {@link QueueConsumer#close}), lets go of the runs that are worked on, each at its next step, ends every
     * wait with {@code PD-203}, lets commits in progress finish, and closes the store. From the first moment no message is received and no run is claimed. All share the
     * time of {@link OpenOptions#drain}, or of the longest drain of a consumer: steps and handlers that still run then are interrupted, and a database that does not
     * answer is waited for at most ten seconds more. Messages that are leased stay so until their leases end. Closing again does nothing.
     */
    @Override
    public void close() {
        if (!tenant.equals(house.options().tenant())) {
            return;
        }
        try (house) {
            Collection<Perdure> engines = house.tenants().values();
            long until = startDrain();
            engines.forEach(engine -> engine.workflows.leaveBy(until));
            Queues.closeConsumers(engines.stream().map(engine -> engine.queues).toList());
            engines.forEach(engine -> {
                try (Queues _ = engine.queues) {
                    engine.workflows.closeBy(until);
                }
            });
        }
    }

    private long startDrain() {
        return house.startDrain(house.tenants().values().stream().map(engine -> engine.queues.longestDrain()));
    }
}
