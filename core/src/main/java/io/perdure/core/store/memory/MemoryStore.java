package io.perdure.core.store.memory;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Batch;
import io.perdure.core.store.Bounds;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Effort;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Inspect;
import io.perdure.core.store.Inspected;
import io.perdure.core.store.KeyDraft;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.MailboxPage;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Queue;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.core.store.StoredKey;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
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
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The specification of a store, in running code. One lock makes every call atomic, so that what is left to read is the
 * rules: {@link Runs} and {@link Messages} for commits, {@link Leases} for who may work on what, {@link Lanes} for batches
 * sent twice, {@link Sweeps} for what goes in the end. Nothing here is fast where it could be plain, and nothing is durable.
 */
public final class MemoryStore implements Store {
    private final ReentrantLock lock = new ReentrantLock();
    private final InstantSource clock;
    private final Tables tables;
    private final Runs runs;
    private final Messages messages;
    private final Queues queues;
    private final Leases leases;
    private final Reads reads;
    private final RunLists lists;
    private final Inspections inspections;
    private final Sweeps sweeps;
    private final List<Registration> watches = new CopyOnWriteArrayList<>();
    private boolean closed;

    public MemoryStore(InstantSource clock, Limits limits) {
        this.clock = clock;
        tables = new Tables(limits);
        messages = new Messages(tables);
        runs = new Runs(tables, messages);
        queues = new Queues(tables);
        leases = new Leases(tables, messages);
        reads = new Reads(tables);
        lists = new RunLists(tables);
        inspections = new Inspections(tables);
        sweeps = new Sweeps(tables);
    }

    @Override
    public Instant now() {
        return locked(now -> now);
    }

    @Override
    public void openLanes(ProcessId process, int count) {
        Bounds.lanes(count);
        locked(now -> {
            for (int number = 0; number < count; number++) {
                tables.lanes.open(new LaneId(process, number), now);
            }
            return count;
        });
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        return locked(now -> {
            Optional<List<Outcome>> earlier = tables.lanes.earlierAnswer(batch);
            if (earlier.isPresent()) {
                return earlier.get();
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (Commit commit : batch.commits()) {
                outcomes.add(apply(commit, now));
            }
            tables.lanes.remember(batch, List.copyOf(outcomes), now);
            return List.copyOf(outcomes);
        });
    }

    private Outcome apply(Commit commit, Instant now) {
        return switch (commit) {
            case RunCommit.Start start -> runs.start(start, now);
            case RunCommit.Advance advance -> runs.advance(advance, now);
            case RunCommit.Intervene intervene -> runs.intervene(intervene, now);
            case RunCommit.Signal signal -> runs.signal(signal, now);
            case QueueCommit.Send send -> messages.send(send, now);
            case QueueCommit.Settle settle -> messages.settle(settle, now);
            case QueueCommit.Redrive redrive -> messages.redrive(redrive, now);
            case QueueCommit.Discard discard -> messages.discard(discard);
            case QueueCommit.Purge purge -> messages.purge(purge);
            case QueueCommit.Create create -> queues.create(create);
            case QueueCommit.Update update -> queues.update(update);
            case QueueCommit.Delete delete -> queues.delete(delete);
        };
    }

    @Override
    public Claimed claim(ClaimRuns request) {
        return locked(now -> leases.claim(request, now));
    }

    @Override
    public Received receive(Receive request) {
        return locked(now -> leases.receive(request, now));
    }

    @Override
    public List<Extended> extend(List<Extend> extensions) {
        Bounds.listed(extensions.size());
        return locked(now ->
                extensions.stream().map(extend -> leases.extend(extend, now)).toList());
    }

    @Override
    public SizedSnapshots snapshots(TenantId tenant, List<RunId> ids, long bytes) {
        Bounds.listed(ids.size());
        return locked(now -> reads.snapshots(tenant, ids, bytes, now));
    }

    @Override
    public List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) {
        Bounds.page(limit);
        return locked(_ -> reads.history(tenant, run, from, limit, bytes));
    }

    @Override
    public Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) {
        return locked(_ -> reads.mailbox(tenant, run, from, bytes));
    }

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) {
        return locked(_ -> tables.findRun(tenant, run).map(RunState::row));
    }

    @Override
    public Optional<RunId> runOf(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
        ClaimedKey bound = new ClaimedKey(tenant, ClaimedKey.Scope.IDEMPOTENCY, workflow.value(), key.value());
        return locked(now -> tables.keys.holding(bound, now).map(holding -> new RunId(holding.holder())));
    }

    @Override
    public Optional<RunId> activeRun(TenantId tenant, WorkflowName workflow, WorkflowId id) {
        ClaimedKey held = new ClaimedKey(tenant, ClaimedKey.Scope.WORKFLOW_ID, workflow.value(), id.value());
        return locked(now -> tables.keys.holding(held, now).map(holding -> new RunId(holding.holder())));
    }

    @Override
    public RunPage runs(RunQuery query) {
        return locked(_ -> lists.runs(query));
    }

    @Override
    public List<RunId> overdue(TenantId tenant, Duration by, int limit) {
        Bounds.page(limit);
        return locked(now -> lists.overdue(tenant, Bounds.ago(by, now), limit));
    }

    @Override
    public Map<WorkflowName, Instant> dueSince(TenantId tenant) {
        return locked(now -> lists.dueSince(tenant, now));
    }

    @Override
    public Inspected inspect(Inspect request) {
        return locked(now -> inspections.inspect(request, now));
    }

    @Override
    public List<RunCount> runCounts(TenantId tenant) {
        return locked(_ -> reads.runCounts(tenant));
    }

    @Override
    public List<Queue> queues(TenantId tenant) {
        return locked(_ -> reads.queues(tenant));
    }

    @Override
    public Optional<Queue> queue(TenantId tenant, QueueName queue) {
        return locked(_ -> Optional.ofNullable(tables.queues(tenant).get(queue))
                .map(state -> new Queue(state.name, state.settings)));
    }

    @Override
    public List<MessageRow> messages(MessageQuery query) {
        return locked(now -> reads.messages(query, now));
    }

    @Override
    public Set<MessageId> present(TenantId tenant, List<MessageId> messages) {
        Bounds.listed(messages.size());
        return locked(_ -> reads.present(tenant, messages));
    }

    @Override
    public Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
        return locked(
                now -> Optional.ofNullable(tables.queues(tenant).get(queue)).map(state -> state.figures(now)));
    }

    @Override
    public void announce(Announcement worker) {
        locked(now -> {
            tables.workers.announce(worker, now);
            return worker;
        });
    }

    @Override
    public void withdraw(TenantId tenant, ProcessId process) {
        locked(_ -> {
            tables.workers.withdraw(tenant, process);
            return process;
        });
    }

    @Override
    public List<LiveWorker> workers(TenantId tenant) {
        return locked(now -> tables.workers.alive(tenant, now));
    }

    @Override
    public Optional<ApiKey> addKey(KeyDraft key) {
        return locked(now -> tables.apiKeys.add(key, now));
    }

    @Override
    public Optional<StoredKey> key(KeyId id) {
        return locked(_ -> tables.apiKeys.find(id));
    }

    @Override
    public List<ApiKey> keys() {
        return locked(_ -> tables.apiKeys.all());
    }

    @Override
    public boolean revokeKey(TenantId tenant, KeyId id) {
        return locked(now -> tables.apiKeys.revoke(tenant, id, now));
    }

    @Override
    public NotedRequest noteRequest(RequestNote note) {
        return locked(now -> tables.requests.note(note, now));
    }

    @Override
    public Optional<NotedRequest> request(TenantId tenant, UUID id) {
        return locked(_ -> tables.requests.find(tenant, id));
    }

    @Override
    public void answerRequest(RequestNote note, RequestAnswer answer) {
        locked(_ -> {
            tables.requests.answer(note, answer);
            return note;
        });
    }

    @Override
    public void forgetRequest(RequestNote note) {
        locked(_ -> {
            tables.requests.forget(note);
            return note;
        });
    }

    @Override
    public int sweep(Sweep what, int limit) {
        Bounds.swept(limit);
        return locked(now -> sweeps.sweep(what, limit, now));
    }

    @Override
    public Watch watch(Consumer<Hint> listener) {
        return locked(_ -> {
            Registration registration = new Registration(listener);
            watches.add(registration);
            return registration;
        });
    }

    /** Nothing is durable here, and nothing is a row. */
    @Override
    public Effort effort() {
        return locked(_ -> new Effort(0, 0));
    }

    /** Nothing outlives the process, so there is nothing to hold and nothing to free. */
    @Override
    public Ownership own() {
        return locked(_ -> () -> {});
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            watches.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the message of a run away, which no rule allows: so that tests see what is done about one that was lost. */
    public void loseMessage(TenantId tenant, RunId run) {
        locked(_ -> {
            tables.run(tenant, run).message = null;
            return run;
        });
    }

    /** An object of its own, so that closing it twice never ends another registration of the same listener. */
    private final class Registration implements Watch {
        private final Consumer<Hint> listener;

        Registration(Consumer<Hint> listener) {
            this.listener = listener;
        }

        @Override
        public void close() {
            watches.remove(this);
        }
    }

    /** Runs one call alone, at one moment of the clock; hints go out after the lock was let go. */
    private <T> T locked(Function<Instant, T> call) {
        T answer;
        List<Hint> hints;
        lock.lock();
        try {
            if (closed) {
                throw new StoreException(ErrorCode.STORE_CLOSED, "The memory store was closed.");
            }
            answer = call.apply(clock.instant().truncatedTo(ChronoUnit.MICROS));
            hints = tables.takeHints();
        } finally {
            lock.unlock();
        }
        hints.forEach(hint -> watches.forEach(watch -> watch.listener.accept(hint)));
        return answer;
    }
}
