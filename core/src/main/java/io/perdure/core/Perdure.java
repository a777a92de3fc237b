package io.perdure.core;

import io.perdure.core.queue.ConsumeOptions;
import io.perdure.core.queue.Delivery;
import io.perdure.core.queue.MessageHandler;
import io.perdure.core.queue.MessageQueue;
import io.perdure.core.queue.QueueConsumer;
import io.perdure.core.queue.QueueStatus;
import io.perdure.core.queue.Queues;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome.Fate;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.RunCount;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.workflow.Operations;
import io.perdure.core.workflow.Run;
import io.perdure.core.workflow.RunFilter;
import io.perdure.core.workflow.RunList;
import io.perdure.core.workflow.StartOptions;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The engine inside this process, over one store. Open one per store and share it: it is safe for many threads, and what they
 * write at the same time shares one flush to the disk. Every method may throw a {@link PerdureException}, whose code says
 * what happened; after {@link #close} that is {@code PD-203}.
 */
public final class Perdure implements AutoCloseable {
    private final Store store;
    private final Ledger ledger;
    private final Queues queues;
    private final Workflows workflows;

    private Perdure(Store store, Ledger ledger, Queues queues, Workflows workflows) {
        this.store = store;
        this.ledger = ledger;
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
        return over(Stores.open(url, environment, Limits.defaults()), environment, options);
    }

    /** The engine over a store that is open; closes the store where it cannot go on, and in the end. */
    static Perdure over(Store store, Environment environment, OpenOptions options) {
        try {
            Ledger ledger = Ledger.open(store, environment, Limits.defaults());
            try {
                Workflows workflows = new Workflows(new Workflows.Setup(
                        store, ledger, environment, options.tenant(), options.codec(), options.limits()));
                return new Perdure(store, ledger, Queues.open(store, ledger, environment, options.tenant()), workflows);
            } catch (RuntimeException e) {
                ledger.close();
                throw e;
            }
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /**
     * Adds a workflow that this process has code for, before {@link #start()}. Several versions of one workflow may be added, so
     * that runs of an older one go on. {@code PD-507} for the same version twice, or after the start.
     */
    public Perdure register(WorkflowDefinition workflow) {
        workflows.register(workflow);
        return this;
    }

    /**
     * Begins to work on runs of the registered workflows. {@code PD-507} where there are none. A SQLite file has one process
     * that works on its runs: {@code PD-211} where that is another one.
     */
    public Perdure start() {
        workflows.work();
        return this;
    }

    /** Starts a run, see {@link #start(Workflow, Object, StartOptions)}. */
    public <I, O> Run<O> start(Workflow<I, O> workflow, @Nullable I input) {
        return start(workflow, input, StartOptions.defaults());
    }

    /**
     * Starts a run of a workflow; returns when it is durable. It is worked on here, where this process works and has room, or
     * wherever a process has the code of this version. Where a key of the options is taken the answer is the run it leads to,
     * with {@code created()} false; the same idempotency key with another input is {@code PD-303}.
     */
    public <I, O> Run<O> start(Workflow<I, O> workflow, @Nullable I input, StartOptions options) {
        return workflows.start(workflow, input, options);
    }

    /** Starts a run of a StepFlow, see {@link #start(StepFlow, Object, StartOptions)}. */
    public Run<Json> start(StepFlow flow, @Nullable Object input) {
        return start(flow, input, StartOptions.defaults());
    }

    /** Starts a run of a StepFlow, as {@link #start(Workflow, Object, StartOptions)} does; {@link Run#as} reads its result as a type. */
    public Run<Json> start(StepFlow flow, @Nullable Object input, StartOptions options) {
        return workflows.start(flow, input, options);
    }

    /**
     * Starts a run of a workflow by its name, for a process that need not have its code. It has the version that the options name, else the
     * newest one that a worker serves who is alive; where nobody is, the newest of whoever works on it first.
     */
    public Run<Json> start(String workflow, Json input, StartOptions options) {
        return workflows.start(new WorkflowName(workflow), input, options);
    }

    /** A run that was started before, with its result as JSON; {@code PD-301} where there is none. */
    public Run<Json> run(RunId id) {
        return workflows.run(id, Json.class);
    }

    /** A run of a workflow that was started before; {@code PD-301} where there is none. */
    public <O> Run<O> run(Workflow<?, O> workflow, RunId id) {
        return workflows.run(id, workflow.output());
    }

    /** Sends a signal to a run, see {@link #signal(RunId, String, Object, String)}; two calls are two signals, so it always answers true. */
    public boolean signal(RunId run, String event, @Nullable Object payload) {
        return workflows.signal(run, new EventName(event), payload, null);
    }

    /**
     * Sends a signal to a run; returns when it is durable. It lies in the run's mailbox until a wait takes it whose event has this
     * name and whose match fits, also where that wait is reached only later. {@code PD-301} where there is no such run,
     * {@code PD-302} where it has ended, {@code PD-306} where its mailbox is full; {@code PD-001} for a name and {@code PD-002} for an id that
     * is not valid, {@code PD-003} and {@code PD-009} for a payload that is too large or has no JSON form.
     *
     * @param payload becomes JSON; what the wait is given
     * @param deduplicationId a second signal with the same one does nothing
     * @return whether this call sent it; false where one with this id came before
     */
    public boolean signal(RunId run, String event, @Nullable Object payload, String deduplicationId) {
        return workflows.signal(run, new EventName(event), payload, new DeduplicationId(deduplicationId));
    }

    /**
     * Cancels a run that is running or parked; returns when that is durable. A step that is under way is interrupted, here at once and
     * elsewhere within moments, and none starts once its worker has heard of it; whatever is still done is not recorded. What its
     * steps did before stays as it is. {@code PD-301} where there is no such run, {@code PD-302} where it has completed or failed.
     *
     * @param reason why, for whoever reads its history
     * @return whether this call cancelled it; false where it was cancelled before
     */
    public boolean cancel(RunId run, String reason) {
        return workflows.cancel(run, reason);
    }

    /**
     * Finds runs, the newest first. {@code PD-007} for a limit that is not between 1 and 10,000.
     *
     * <p>One call looks at a bounded number of runs. What is asked of their input is looked up run by run, so name a workflow and a
     * time as well where there are many.
     */
    public RunList runs(RunFilter filter, int limit) {
        return workflows.list(filter, limit, null);
    }

    /** The page that begins where another one of the same filter ended, see {@link RunList#next}; {@code PD-006} for what is no such place. */
    public RunList runs(RunFilter filter, int limit, String after) {
        return workflows.list(filter, limit, after);
    }

    /**
     * How many runs a filter finds. Of a workflow or a status alone the store's books tell at once; for anything else every run that may fit is
     * looked at.
     */
    public long count(RunFilter filter) {
        return workflows.count(filter);
    }

    /** How many runs of each workflow are in each status: kept up to date by the store, not counted. */
    public List<RunCount> runCounts() {
        return workflows.counts();
    }

    /**
     * Puts a parked run back to work, once what it was parked for is mended: it is due at once. {@code PD-301} where there is no such run,
     * {@code PD-302} where it has ended, {@code PD-304} where it is running.
     *
     * @param reason why, for whoever reads its history
     */
    public void resume(RunId run, String reason) {
        workflows.resume(run, reason, null);
    }

    /**
     * The same with another version of its workflow, 1 or more ({@code PD-007}). Whether that version's code fits what the run has recorded is
     * seen by the worker that takes it up, before it does anything new: where it does not, the run is parked again. {@link Operations#move} looks first.
     */
    public void resume(RunId run, String reason, int version) {
        workflows.resume(run, reason, version);
    }

    /**
     * Puts a failed run back to work: its history stays, the steps that completed are not run again, and the attempts of the one that failed are
     * counted anew. {@code PD-301} where there is no such run, {@code PD-304} where it has not failed, or its deadline has passed, {@code PD-305} (an
     * {@code AlreadyActiveException}) while another run holds its workflow id.
     *
     * @param reason why, for whoever reads its history
     */
    public void redrive(RunId run, String reason) {
        workflows.redrive(run, reason);
    }

    /** What is done to many runs at once, to move runs between versions, and for the upkeep of all of them. */
    public Operations operations() {
        return workflows.operations();
    }

    /** How many runs this process works on now; a run that sleeps or waits is not among them. */
    public int working() {
        return workflows.working();
    }

    /** Creates a queue with the default settings, see {@link #createQueue(String, QueueSettings)}. */
    public MessageQueue createQueue(String name) {
        return createQueue(name, QueueSettings.defaults());
    }

    /**
     * Creates a queue, and {@code <name>.dlq} for its dead letters. One that exists with equal settings is left as it is; with
     * other settings it is {@code PD-402}.
     */
    public MessageQueue createQueue(String name, QueueSettings settings) {
        return queues.create(new QueueName(name), settings);
    }

    /** A queue that exists, dead-letter queues included; {@code PD-401} where there is none of this name. */
    public MessageQueue queue(String name) {
        return queues.queue(new QueueName(name));
    }

    /** All queues by name, dead-letter queues included, with their settings and figures. */
    public List<QueueStatus> queues() {
        return queues.all();
    }

    /** Has the messages of a queue handled, see {@link #consume(String, ConsumeOptions, MessageHandler)}. */
    public QueueConsumer consume(String queue, MessageHandler handler) {
        return consume(queue, ConsumeOptions.defaults(), handler);
    }

    /**
     * Receives messages of a queue and has them handled, many at once, until the answer or this engine is closed. A message is acknowledged
     * when its handler returns, given back when it throws, and kept from others for as long as it takes. {@code PD-401} where there is
     * no such queue. A store that fails later, and a queue that is deleted, are asked again until they are there.
     */
    public QueueConsumer consume(String queue, ConsumeOptions options, MessageHandler handler) {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(handler, "handler");
        return queues.consume(new QueueName(queue), options, handler);
    }

    /**
     * Acknowledges messages of any queues by their receipts alone, each on its own. Answers the receipts that came too late:
     * their messages were settled before or are with another receiver ({@code PD-406}).
     */
    public List<Receipt> ackAll(List<Receipt> receipts) {
        return queues.ackAll(receipts);
    }

    /** Gives a message back by its receipt alone, see {@link Delivery#retry(Duration, String)}. */
    public Fate retry(Receipt receipt, Duration delay, String error) {
        return queues.retry(receipt, delay, error);
    }

    /** Gives a message up by its receipt alone, see {@link Delivery#reject}. */
    public Fate reject(Receipt receipt, String error) {
        return queues.reject(receipt, error);
    }

    /** Gives a message back by its receipt alone, as if it had not been delivered, see {@link Delivery#release}. */
    public void release(Receipt receipt) {
        queues.release(receipt);
    }

    /** Makes a lease end so long from now, by its receipt alone; answers when, by the store's clock. */
    public Instant extend(Receipt receipt, Duration length) {
        return queues.extend(receipt, length);
    }

    /**
     * Why the newest attempt to remove what has served its time failed; empty where it did not fail, or there was none yet. It
     * is tried again every minute, and the failure is also logged under the name of this package.
     */
    public Optional<RuntimeException> sweepFailure() {
        return queues.sweepFailure().or(workflows::sweepFailure);
    }

    /**
     * Closes the consumers (see {@link QueueConsumer#close}), lets go of the runs that are worked on, each at its next step (one that
     * takes longer than {@link OpenOptions#drain} is interrupted), ends every wait with {@code PD-203}, lets commits that are under way
     * finish, and closes the store. Messages that are leased stay so until their leases end. Closing again does nothing.
     */
    @Override
    public void close() {
        try (store;
                ledger;
                queues;
                workflows) {
            queues.closeConsumers();
        }
    }
}
