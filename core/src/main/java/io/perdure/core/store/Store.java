package io.perdure.core.store;

import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.RunCount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Keeps runs and messages, and decides every race between those who change them. The rules are told by the types it takes
 * and answers with, shown by {@code MemoryStore} and held by {@code StoreContract}, which every store passes.
 *
 * <p>A store is safe for many threads. Its own clock decides what is due and which lease has ended; callers hand it
 * durations. A method that throws {@code PD-201} may or may not have done its work, and only a {@link Batch} can be sent again
 * to learn which; one that throws a {@link StoreException} with another code did nothing.
 */
public interface Store extends AutoCloseable {
    /** The time by the store's clock, in microseconds. */
    Instant now();

    /**
     * Opens the lanes 0 to {@code count - 1} of a process, before its first batch. Lanes that are open stay as they are and
     * count as used: a process with nothing to say calls this to keep its lanes.
     */
    void openLanes(ProcessId process, int count);

    /**
     * Applies commits as if one after another in their order, in one transaction, and answers each. A commit applies whole
     * or not at all; one that loses or is refused leaves the others as they were.
     *
     * <p>A batch that was applied before is not applied again: its first outcomes are answered for as long as they are kept.
     * So after a {@code PD-201} the same batch is sent again. {@code PD-202} says that it is neither the next of its lane nor
     * one that the store remembers: the store went back in time, or forgot the lane.
     */
    List<Outcome> commit(Batch batch);

    /**
     * {@link #commit(Batch)} of one commit, and in the same transaction a claim of the run that it makes due, if it does and that run is
     * asked for. A store that would be no quicker takes nothing; then the run is due, and hinted at, as ever.
     *
     * @param along says which runs are asked for, and the lease
     */
    default Committed commit(Batch batch, ClaimRuns along) {
        return new Committed(commit(batch), null);
    }

    /** Leases runs that are due, each with its message; the queues asked for take turns. */
    Claimed claim(ClaimRuns request);

    /**
     * Leases messages of one user queue, by when they became ready, then by id. A message found to have outlived its retention
     * expires instead; one found to have used up its deliveries is dead-lettered, or dropped where the queue keeps no dead letters. Throws {@code PD-401} where there is no
     * such queue.
     */
    Received receive(Receive request);

    /** Lengthens leases, each on its own; answers in the order asked. */
    List<Extended> extend(List<Extend> leases);

    /** Reads run, history, mailbox and wakes of each run in one snapshot; runs that are not there are left out. */
    default List<RunSnapshot> snapshots(TenantId tenant, List<RunId> runs) {
        return snapshots(tenant, runs, Long.MAX_VALUE).read();
    }

    /**
     * Reads run, history, mailbox and wakes of those runs that together have at most the given number of bytes, in one snapshot. Runs are looked at in
     * the order of the list; one that does not fit into what is left is not read, and only its size is returned. At no time does the store hold
     * much more than {@code bytes} of them in memory.
     */
    SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes);

    /** Reads a page of a run's history, from an event's number on; empty where there is no such run. */
    default List<Recorded> history(TenantId tenant, RunId run, long from, int limit) {
        return history(tenant, run, from, limit, Long.MAX_VALUE);
    }

    /**
     * Reads a page of a run's history, from an event's number on; empty if there is no such run. The page ends before the event with which it would
     * have more than {@code bytes}, but has one event at least.
     */
    List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes);

    /**
     * Reads the signals that a run has not taken, from a number on, and its wakes, in one snapshot; empty if there is no such run. The page ends
     * before the signal with which it would have more than {@code bytes}, but has one signal at least.
     */
    Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes);

    /** Reads one run without its history. */
    Optional<RunRow> run(TenantId tenant, RunId run);

    /** The run that an idempotency key is bound to, whatever became of the start that brought it. */
    Optional<RunId> runOf(TenantId tenant, WorkflowName workflow, IdempotencyKey key);

    /** The run that holds a workflow id: running or parked. */
    Optional<RunId> activeRun(TenantId tenant, WorkflowName workflow, WorkflowId id);

    /** A page of runs, newest first. */
    RunPage runs(RunQuery query);

    /**
     * The runs that still run though their deadline passed so long ago, by the store's clock; those that are overdue the longest
     * come first, then by id. A run that is parked has no deadline for as long as it is.
     */
    List<RunId> overdue(TenantId tenant, Duration by, int limit);

    /**
     * For each workflow, since when the run that has waited longest for a worker has been due. A workflow that has none is left out. Costs as
     * much as there are versions with runs, however many of them are due.
     */
    Map<WorkflowName, Instant> dueSince(TenantId tenant);

    /**
     * Looks at a bounded number of runs, and answers those that run and have no message, or whose newest event has a time that
     * passed so long ago by the store's clock. What kind of event that is decides the caller. Reads everything of one moment.
     */
    Inspected inspect(Inspect request);

    /** How many runs of each workflow are in each status. */
    List<RunCount> runCounts(TenantId tenant);

    /** All queues of users and their dead-letter queues, by name. */
    List<Queue> queues(TenantId tenant);

    /** One queue of users, with its settings. */
    Optional<Queue> queue(TenantId tenant, QueueName queue);

    /**
     * A page of a queue's messages, by when they are or become ready, then by id, without leasing them. Throws {@code PD-401}
     * where there is no such queue.
     */
    List<MessageRow> messages(MessageQuery query);

    /** Which of these messages are in a queue of users, or among its dead letters, leased or not. */
    Set<MessageId> present(TenantId tenant, List<MessageId> messages);

    /** The maintained figures of one queue; empty where there is no such queue. */
    Optional<QueueFigures> figures(TenantId tenant, QueueName queue);

    /**
     * Says that a worker is alive from now on for so long, and what it serves; replaces what it said before. One that had fallen
     * silent for too long begins anew.
     */
    void announce(Announcement worker);

    /** Says that a worker is gone, from now on; nothing happens where it was not there. */
    void withdraw(TenantId tenant, ProcessId process);

    /** The workers that are alive by the store's clock, by name, then by process. */
    List<LiveWorker> workers(TenantId tenant);

    /**
     * Adds a key, and answers it with the times that the store's clock gave it; empty where another key has its id. A key that was added
     * before, which is one of the same id and hash, is answered as it is kept, and so may be added again after a {@code PD-201}.
     */
    Optional<ApiKey> addKey(KeyDraft key);

    /** One key, of any tenant and also one that no longer counts: what may be done with it is for the caller to decide. */
    Optional<StoredKey> key(KeyId id);

    /** All keys of all tenants, in the order of {@link ApiKey#ORDER}, also those that no longer count. They are few, and never removed. */
    List<ApiKey> keys();

    /** Revokes a key from now on; false where this tenant has none of this id, or it was revoked before. */
    boolean revokeKey(TenantId tenant, KeyId id);

    /**
     * Notes a request, unless one of its id was noted before; answers what is kept. {@link NotedRequest#isOf} says of the answer whether this
     * note was the first: of many who note a request at once, one is. Noting the same again after a {@code PD-201} answers the same.
     */
    NotedRequest noteRequest(RequestNote note);

    /** One request that was noted. */
    Optional<NotedRequest> request(TenantId tenant, UUID id);

    /** Keeps what the request of this note was answered; nothing happens where it has an answer, or another note was the first. */
    void answerRequest(RequestNote note, RequestAnswer answer);

    /** Removes the request of this note; nothing happens where it has an answer, or another note was the first. */
    void forgetRequest(RequestNote note);

    /**
     * Removes at most {@code limit} of what has served its time, those first that did so longest ago, then by id; answers how
     * many. A store may stop short of that where it takes long, and may use several transactions. No reader sees a part of a run.
     */
    int sweep(Sweep what, int limit);

    /**
     * Calls the listener soon after something may have become ready or ended. Hints can be lost, doubled or wrong: they
     * save waiting, and nothing rests on them. The listener must be quick and must not throw. Closing the answer ends it.
     */
    Watch watch(Consumer<Hint> listener);

    /** What it took so far. */
    Effort effort();

    /**
     * Takes what a process must hold to run workers. Where a store serves one such process at a time, the leases of runs that
     * a dead one held itself are freed by this, so that they go on at once, and {@code PD-211} is thrown while another one lives.
     * Leases of {@linkplain Lease.Holder#REMOTE_WORKER remote workers} stay as they are: those workers may live. Elsewhere there is nothing to hold. Asking again while it is held answers the same; closing the answer lets go.
     */
    Ownership own();

    /**
     * Says that the store is about to be closed. Calls go on as ever for the given time; after that none waits for a server that
     * does not answer, now or later, so that closing an engine waits for one such call and not for one after another.
     * A store without a server has nothing to do here.
     */
    default void endWithin(Duration time) {}

    /** Lets go of everything the store holds; every later call is {@code PD-203}. */
    @Override
    void close();

    /** The right to run workers, see {@link #own}. */
    interface Ownership extends AutoCloseable {
        @Override
        void close();
    }

    /** A listener's registration. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
