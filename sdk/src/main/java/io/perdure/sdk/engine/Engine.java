package io.perdure.sdk.engine;

import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.Delivery;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Workflows and queues, kept somewhere: by the engine in this process, which has a store, or by a server. What is written against this
 * runs on both. Safe for many threads. Every method may throw a {@link io.perdure.sdk.PerdureException}, whose code says what happened;
 * after {@link #close} that is {@code PD-203}.
 */
public interface Engine extends AutoCloseable {
    /**
     * Adds a workflow that this process has code for, before {@link #start()}. Several versions of one workflow may be added, so
     * that runs of an older one go on. {@code PD-507} for the same version twice, or after the start.
     */
    Engine register(WorkflowDefinition workflow);

    /**
     * Begins to work on runs of the registered workflows. {@code PD-507} where there are none. An engine that has its store in this process
     * throws {@code PD-211} where that is a SQLite file and another process works on its runs, or serves it. Through a server any number of
     * processes work.
     */
    Engine start();

    /** Starts a run, see {@link #start(Workflow, Object, StartOptions)}. */
    default <I, O> Run<O> start(Workflow<I, O> workflow, @Nullable I input) {
        return start(workflow, input, StartOptions.defaults());
    }

    /**
     * Starts a run of a workflow; returns when it is durable. It is worked on here, where this process works and has room, or
     * wherever a process has the code of this version. Where a key of the options is taken the answer is the run it leads to,
     * with {@code created()} false; the same idempotency key with another input is {@code PD-303}.
     */
    <I, O> Run<O> start(Workflow<I, O> workflow, @Nullable I input, StartOptions options);

    /** Starts a run of a StepFlow, see {@link #start(StepFlow, Object, StartOptions)}. */
    default Run<Json> start(StepFlow flow, @Nullable Object input) {
        return start(flow, input, StartOptions.defaults());
    }

    /** Starts a run of a StepFlow, as {@link #start(Workflow, Object, StartOptions)} does; {@link Run#as} reads its result as a type. */
    Run<Json> start(StepFlow flow, @Nullable Object input, StartOptions options);

    /**
     * Starts a run of a workflow by its name, for a process that need not have its code. It has the version that the options name, else the
     * newest one that a worker serves who is alive; where nobody is, the newest of whoever works on it first.
     */
    Run<Json> start(String workflow, Json input, StartOptions options);

    /** A run that was started before, with its result as JSON; {@code PD-301} where there is none. */
    Run<Json> run(RunId id);

    /** A run of a workflow that was started before; {@code PD-301} where there is none. */
    <O> Run<O> run(Workflow<?, O> workflow, RunId id);

    /** Sends a signal to a run, see {@link #signal(RunId, String, Object, String)}; two calls are two signals, so it always answers true. */
    boolean signal(RunId run, String event, @Nullable Object payload);

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
    boolean signal(RunId run, String event, @Nullable Object payload, String deduplicationId);

    /**
     * Cancels a run that is running or parked; returns when that is durable. A step that is under way is interrupted, here at once and
     * elsewhere within moments, and none starts once its worker has heard of it; whatever is still done is not recorded. What its
     * steps did before stays as it is. {@code PD-301} where there is no such run, {@code PD-302} where it has completed or failed.
     *
     * @param reason why, for whoever reads its history
     * @return whether this call cancelled it; false where it was cancelled before
     */
    boolean cancel(RunId run, String reason);

    /**
     * Finds runs, the newest first. {@code PD-007} for a limit that is not between 1 and 10,000.
     *
     * <p>One call looks at a bounded number of runs. What is asked of their input is looked up run by run, so name a workflow and a
     * time as well where there are many.
     */
    RunList runs(RunFilter filter, int limit);

    /** The page that begins where another one of the same filter ended, see {@link RunList#next}; {@code PD-006} for what is no such place. */
    RunList runs(RunFilter filter, int limit, String after);

    /**
     * How many runs a filter finds. Of a workflow or a status alone the store's books tell at once; for anything else every run that may fit is
     * looked at.
     */
    long count(RunFilter filter);

    /** How many runs of each workflow are in each status: kept up to date by the store, not counted. */
    List<RunCount> runCounts();

    /**
     * Puts a parked run back to work, once what it was parked for is mended: it is due at once. {@code PD-301} where there is no such run,
     * {@code PD-302} where it has ended, {@code PD-304} where it is running.
     *
     * @param reason why, for whoever reads its history
     */
    void resume(RunId run, String reason);

    /**
     * The same with another version of its workflow, 1 or more ({@code PD-007}). Whether that version's code fits what the run has recorded is
     * seen by the worker that takes it up, before it does anything new: where it does not, the run is parked again. {@link Operations#move} looks first.
     */
    void resume(RunId run, String reason, int version);

    /**
     * Puts a failed run back to work: its history stays, the steps that completed are not run again, and the attempts of the one that failed are
     * counted anew. {@code PD-301} where there is no such run, {@code PD-304} where it has not failed, or its deadline has passed, {@code PD-305} (an
     * {@code AlreadyActiveException}) while another run holds its workflow id.
     *
     * @param reason why, for whoever reads its history
     */
    void redrive(RunId run, String reason);

    /** What is done to many runs at once, to move runs between versions, and for the upkeep of all of them. */
    Operations operations();

    /** How many runs this process works on now; a run that sleeps or waits is not among them. */
    int working();

    /** Creates a queue with the default settings, see {@link #createQueue(String, QueueSettings)}. */
    default MessageQueue createQueue(String name) {
        return createQueue(name, QueueSettings.defaults());
    }

    /**
     * Creates a queue, and {@code <name>.dlq} for its dead letters. One that exists with equal settings is left as it is; with
     * other settings it is {@code PD-402}.
     */
    MessageQueue createQueue(String name, QueueSettings settings);

    /** A queue that exists, dead-letter queues included; {@code PD-401} where there is none of this name. */
    MessageQueue queue(String name);

    /** All queues by name, dead-letter queues included, with their settings and figures. */
    List<QueueStatus> queues();

    /** Has the messages of a queue handled, see {@link #consume(String, ConsumeOptions, MessageHandler)}. */
    default QueueConsumer consume(String queue, MessageHandler handler) {
        return consume(queue, ConsumeOptions.defaults(), handler);
    }

    /**
     * Receives messages of a queue and has them handled, many at once, until the answer or this engine is closed. A message is acknowledged
     * when its handler returns, given back when it throws, and kept from others for as long as it takes. {@code PD-401} where there is
     * no such queue. A store that fails later, a server that is away, and a queue that is deleted, are asked again until they are there.
     */
    QueueConsumer consume(String queue, ConsumeOptions options, MessageHandler handler);

    /**
     * Acknowledges messages of any queues by their receipts alone, each on its own. Answers the receipts that came too late:
     * their messages were settled before or are with another receiver ({@code PD-406}).
     */
    List<Receipt> ackAll(List<Receipt> receipts);

    /** Gives a message back by its receipt alone, see {@link Delivery#retry(Duration, String)}. */
    Fate retry(Receipt receipt, Duration delay, String error);

    /** Gives a message up by its receipt alone, see {@link Delivery#reject}. */
    Fate reject(Receipt receipt, String error);

    /** Gives a message back by its receipt alone, as if it had not been delivered, see {@link Delivery#release}. */
    void release(Receipt receipt);

    /** Makes a lease end so long from now, by its receipt alone; answers when, by the store's clock. */
    Instant extend(Receipt receipt, Duration length);

    /** Makes leases of any queues' messages end so long from now, by their receipts alone, each on its own. */
    ExtendedLeases extendAll(List<Receipt> receipts, Duration length);

    /** Closes its consumers, lets go of the runs that are worked on, each at its next step, and of everything else that it holds. Closing again does nothing. */
    @Override
    void close();
}
