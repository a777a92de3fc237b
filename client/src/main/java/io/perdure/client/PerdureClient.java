package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.consumer.Consumers;
import io.perdure.sdk.consumer.LoggedMessages;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
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
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The engine at the other end of HTTP. Connect one per server and share it: it is safe for many threads. What it throws is what the engine would have
 * thrown there; {@code PD-603} where the server cannot be reached, {@code PD-201} where it was and nobody could tell
 * what became of it.
 *
 * <p>While the server is away, or an answer is lost, a request is sent again for as long as there is {@linkplain ConnectOptions#patience patience}. It
 * bears the same id each time, and the servers of the store do it once. A receive and the making of a key are sent again only where the server has
 * not done it.
 */
public final class PerdureClient implements Engine {
    private final Transport transport;
    private final ConnectOptions options;
    private final RemoteWork.Beginning beginning;
    private final Calls calls;
    private final Registry registry = new Registry();
    private final RemoteRuns runs;
    private final RemoteStarts starts;
    private final RemoteInterventions interventions;
    private final RemoteListing listing;
    private final RemoteOperations operations;
    private final RemoteQueues queues;
    private final RemoteReceipts receipts;
    private final Consumers consumers;
    private final RemoteKeys keys;
    private volatile @Nullable RemoteWork work;

    private PerdureClient(Transport transport, ConnectOptions options, RemoteWork.Beginning beginning) {
        this.transport = transport;
        this.options = options;
        this.beginning = beginning;
        this.calls = new Calls(transport, options.patience());
        this.runs = new RemoteRuns(calls, options.codec());
        this.starts = new RemoteStarts(calls, options.codec(), registry);
        this.interventions = new RemoteInterventions(calls, options.codec());
        this.listing = new RemoteListing(calls);
        this.operations = new RemoteOperations(calls, new RemoteMoves(calls, runs, options.codec(), registry));
        this.queues = new RemoteQueues(calls);
        this.receipts = new RemoteReceipts(calls, Paths.ROOT);
        this.keys = new RemoteKeys(calls);
        this.consumers = new Consumers(transport.environment());
    }

    /** Connects to the server at a URL, such as {@code http://127.0.0.1:7450}, see {@link #connect(String, ConnectOptions)}. */
    public static PerdureClient connect(String url) {
        return connect(url, ConnectOptions.defaults());
    }

    /**
     * Connects to the server at a URL. Nothing is sent yet, so the server need not be there; a URL that is none of HTTP is {@code PD-609}.
     */
    public static PerdureClient connect(String url, ConnectOptions options) {
        Objects.requireNonNull(options, "options");
        return over(url, options, new SystemEnvironment(), RemoteWork::begin);
    }

    static PerdureClient over(
            String url, ConnectOptions options, Environment environment, RemoteWork.Beginning beginning) {
        return new PerdureClient(
                new Transport(base(url), options.key(), options.sslContext(), environment), options, beginning);
    }

    private static URI base(String url) {
        try {
            URI base = new URI(url);
            if (base.getRawUserInfo() != null || base.getRawQuery() != null || base.getRawFragment() != null) {
                // Without the URL, which may hold a password.
                throw InvalidValueException.ofField("server", "is a URL with more than a host, a port and a path.");
            }
            return base;
        } catch (URISyntaxException e) {
            throw InvalidValueException.ofField("server", "is no URL such as http://127.0.0.1:7450: " + url);
        }
    }

    @Override
    public synchronized PerdureClient register(WorkflowDefinition workflow) {
        if (work != null) {
            throw new WorkflowCodeException(
                    ErrorCode.REGISTRATION, "Workflow %s was registered after start().".formatted(workflow));
        }
        registry.add(workflow);
        return this;
    }

    /**
     * Begins to work on runs of the registered workflows, which the server hands out. {@code PD-507} where there are none; {@code PD-601} and
     * {@code PD-602} where the key does not allow it, {@code PD-604} where client and server are too far apart. Starting again does nothing.
     */
    @Override
    public synchronized PerdureClient start() {
        calls.requireOpen();
        if (registry.isEmpty()) {
            throw new WorkflowCodeException(ErrorCode.REGISTRATION, "No workflow is registered.");
        }
        if (work == null) {
            work = beginning.begin(transport, registry, options);
        }
        return this;
    }

    @Override
    public <I, O> Run<O> start(Workflow<I, O> workflow, @Nullable I input, StartOptions how) {
        return begun(starts.start(workflow, input, how), workflow.output());
    }

    @Override
    public Run<Json> start(StepFlow flow, @Nullable Object input, StartOptions how) {
        return begun(starts.start(flow, input, how), Json.class);
    }

    @Override
    public Run<Json> start(String workflow, Json input, StartOptions how) {
        return begun(starts.start(new WorkflowName(workflow), input, how), Json.class);
    }

    private <O> Run<O> begun(RemoteStarts.Begun begun, Type output) {
        return new Run<>(runs, begun.run(), output, begun.created());
    }

    @Override
    public Run<Json> run(RunId id) {
        return found(id, Json.class);
    }

    @Override
    public <O> Run<O> run(Workflow<?, O> workflow, RunId id) {
        return found(id, workflow.output());
    }

    private <O> Run<O> found(RunId id, Type output) {
        runs.info(id);
        return new Run<>(runs, id, output, false);
    }

    @Override
    public boolean signal(RunId run, String event, @Nullable Object payload) {
        return interventions.signal(run, new EventName(event), payload, null);
    }

    @Override
    public boolean signal(RunId run, String event, @Nullable Object payload, String deduplicationId) {
        return interventions.signal(run, new EventName(event), payload, new DeduplicationId(deduplicationId));
    }

    @Override
    public boolean cancel(RunId run, String reason) {
        return interventions.cancel(run, reason);
    }

    @Override
    public RunList runs(RunFilter filter, int limit) {
        return listing.list(filter, limit, null);
    }

    @Override
    public RunList runs(RunFilter filter, int limit, String after) {
        return listing.list(filter, limit, after);
    }

    @Override
    public long count(RunFilter filter) {
        return listing.count(filter);
    }

    @Override
    public List<RunCount> runCounts() {
        return listing.counts();
    }

    @Override
    public void resume(RunId run, String reason) {
        interventions.resume(run, reason, null);
    }

    @Override
    public void resume(RunId run, String reason, int version) {
        interventions.resume(run, reason, version);
    }

    @Override
    public void redrive(RunId run, String reason) {
        interventions.redrive(run, reason);
    }

    @Override
    public Operations operations() {
        return operations;
    }

    @Override
    public int working() {
        RemoteWork working = work;
        return working == null ? 0 : working.working();
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
    public QueueConsumer consume(String queue, ConsumeOptions how, MessageHandler handler) {
        return consumers.consume(queues.backend(new QueueName(queue)), how, handler, LoggedMessages.ifSetUp());
    }

    @Override
    public List<Receipt> ackAll(List<Receipt> all) {
        return receipts.ackAll(all);
    }

    @Override
    public Fate retry(Receipt receipt, Duration delay, String error) {
        return receipts.retry(receipt, delay, error);
    }

    @Override
    public Fate reject(Receipt receipt, String error) {
        return receipts.reject(receipt, error);
    }

    @Override
    public void release(Receipt receipt) {
        receipts.release(receipt);
    }

    @Override
    public Instant extend(Receipt receipt, Duration length) {
        return receipts.extend(receipt, length);
    }

    @Override
    public ExtendedLeases extendAll(List<Receipt> all, Duration length) {
        return receipts.extendAll(all, length);
    }

    /** The API keys of the tenant that the server takes this client for. */
    public RemoteKeys keys() {
        return keys;
    }

    /**
     * Closes the consumers (see {@link QueueConsumer#close}), lets go of the runs that are worked on, each at its next step, ends every wait with {@code PD-203}, and closes
     * the connections. From the first moment no message is received and no run is claimed. Steps have the {@linkplain ConnectOptions#drain drain} and handlers that of their consumer,
     * both from now on; those that take longer are interrupted. Runs and messages stay at the server. Closing again does nothing.
     */
    @Override
    public synchronized void close() {
        try (calls) {
            RemoteWork working = work;
            if (working != null) {
                working.leave();
            }
            consumers.close();
            calls.endWaits();
            work = null;
            if (working != null) {
                working.close();
            }
        }
    }
}
