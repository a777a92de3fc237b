package io.perdure.core;

import io.perdure.core.queue.MessageQueue;
import io.perdure.core.queue.QueueStatus;
import io.perdure.core.queue.Queues;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.workflow.Run;
import io.perdure.core.workflow.StartOptions;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Workflow;
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
                        store,
                        ledger,
                        environment,
                        options.tenant(),
                        options.codec(),
                        options.concurrency(),
                        options.limits()));
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
    public Perdure register(Workflow<?, ?> workflow) {
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

    /**
     * Starts a run of a workflow by its name, for a process that does not have its code; it takes the newest version of whoever
     * works on it first.
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

    /** How many runs this process works on now; a run that sleeps is not among them. */
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

    /**
     * Acknowledges messages of any queues by their receipts alone, each on its own. Answers the receipts that came too late:
     * their messages were settled before or are with another receiver ({@code PD-406}).
     */
    public List<Receipt> ackAll(List<Receipt> receipts) {
        return queues.ackAll(receipts);
    }

    /**
     * Why the newest attempt to remove what has served its time failed; empty where it did not fail, or there was none yet. It
     * is tried again every minute, and the failure is also logged under the name of this package.
     */
    public Optional<RuntimeException> sweepFailure() {
        return queues.sweepFailure().or(workflows::sweepFailure);
    }

    /**
     * Lets go of the runs that are worked on, each at its next step (one that takes longer than {@link OpenOptions#drain} is
     * interrupted), ends every wait with {@code PD-203}, lets commits that are
     * under way finish, and closes the store. Messages that are leased stay so until their leases end. Closing again does
     * nothing.
     */
    @Override
    public void close() {
        try (store;
                ledger;
                queues) {
            workflows.close();
        }
    }
}
