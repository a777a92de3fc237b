package io.perdure.core.store;

import io.perdure.core.store.Committed.WokenRun;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
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
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A memory store that remembers what was sent to it, and goes wrong where a test says so. */
final class FaultyStore implements Store {
    /** What becomes of one attempt at a batch. */
    interface Fault {
        List<Outcome> commit(Batch batch, Store real);
    }

    /** Every attempt at a batch, in the order they came. */
    final List<Batch> attempts = new CopyOnWriteArrayList<>();
    /** Every process that opened lanes, as often as it did. */
    final List<ProcessId> opened = new CopyOnWriteArrayList<>();
    /** What befalls the next attempts; those after them fare well. */
    final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    /** What befalls the next openings of lanes. */
    final Queue<RuntimeException> openFaults = new ConcurrentLinkedQueue<>();

    /** What an opening of lanes waits for before anything befalls it. */
    volatile Runnable beforeOpening = () -> {};

    /** What the next batches that a claim goes along with have woken. */
    final Queue<WokenRun> woken = new ConcurrentLinkedQueue<>();

    private final MemoryStore real;

    FaultyStore(Environment environment) {
        real = new MemoryStore(environment.clock(), Limits.defaults());
    }

    /** The commits that reached the store, each attempt's in order. */
    List<Commit> sent() {
        return attempts.stream().flatMap(batch -> batch.commits().stream()).toList();
    }

    @Override
    public void openLanes(ProcessId process, int count) {
        opened.add(process);
        beforeOpening.run();
        RuntimeException fault = openFaults.poll();
        if (fault != null) {
            throw fault;
        }
        real.openLanes(process, count);
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        attempts.add(batch);
        Fault fault = faults.poll();
        return fault == null ? real.commit(batch) : fault.commit(batch, real);
    }

    @Override
    public Committed commit(Batch batch, ClaimRuns request) {
        return new Committed(commit(batch), woken.poll());
    }

    @Override
    public Instant now() {
        return real.now();
    }

    @Override
    public Claimed claim(ClaimRuns request) {
        return real.claim(request);
    }

    @Override
    public Received receive(Receive request) {
        return real.receive(request);
    }

    @Override
    public List<Extended> extend(List<Extend> leases) {
        return real.extend(leases);
    }

    @Override
    public SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes) {
        return real.snapshots(tenant, runs, bytes);
    }

    @Override
    public List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) {
        return real.history(tenant, run, from, limit, bytes);
    }

    @Override
    public Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) {
        return real.mailbox(tenant, run, from, bytes);
    }

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) {
        return real.run(tenant, run);
    }

    @Override
    public Optional<RunId> runOf(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
        return real.runOf(tenant, workflow, key);
    }

    @Override
    public Optional<RunId> activeRun(TenantId tenant, WorkflowName workflow, WorkflowId id) {
        return real.activeRun(tenant, workflow, id);
    }

    @Override
    public RunPage runs(RunQuery query) {
        return real.runs(query);
    }

    @Override
    public List<RunId> overdue(TenantId tenant, Duration by, int limit) {
        return real.overdue(tenant, by, limit);
    }

    @Override
    public Map<WorkflowName, Instant> dueSince(TenantId tenant) {
        return real.dueSince(tenant);
    }

    @Override
    public Inspected inspect(Inspect request) {
        return real.inspect(request);
    }

    @Override
    public List<RunCount> runCounts(TenantId tenant) {
        return real.runCounts(tenant);
    }

    @Override
    public List<io.perdure.core.store.Queue> queues(TenantId tenant) {
        return real.queues(tenant);
    }

    @Override
    public Optional<io.perdure.core.store.Queue> queue(TenantId tenant, QueueName queue) {
        return real.queue(tenant, queue);
    }

    @Override
    public List<MessageRow> messages(MessageQuery query) {
        return real.messages(query);
    }

    @Override
    public Set<MessageId> present(TenantId tenant, List<MessageId> messages) {
        return real.present(tenant, messages);
    }

    @Override
    public Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
        return real.figures(tenant, queue);
    }

    @Override
    public void announce(Announcement worker) {
        real.announce(worker);
    }

    @Override
    public void withdraw(TenantId tenant, ProcessId process) {
        real.withdraw(tenant, process);
    }

    @Override
    public List<LiveWorker> workers(TenantId tenant) {
        return real.workers(tenant);
    }

    @Override
    public Optional<ApiKey> addKey(KeyDraft key) {
        return real.addKey(key);
    }

    @Override
    public Optional<StoredKey> key(KeyId id) {
        return real.key(id);
    }

    @Override
    public List<ApiKey> keys() {
        return real.keys();
    }

    @Override
    public boolean revokeKey(TenantId tenant, KeyId id) {
        return real.revokeKey(tenant, id);
    }

    @Override
    public NotedRequest noteRequest(RequestNote note) {
        return real.noteRequest(note);
    }

    @Override
    public Optional<NotedRequest> request(TenantId tenant, UUID id) {
        return real.request(tenant, id);
    }

    @Override
    public void answerRequest(RequestNote note, RequestAnswer answer) {
        real.answerRequest(note, answer);
    }

    @Override
    public void forgetRequest(RequestNote note) {
        real.forgetRequest(note);
    }

    @Override
    public int sweep(Sweep what, int limit) {
        return real.sweep(what, limit);
    }

    @Override
    public Watch watch(Consumer<Hint> listener) {
        return real.watch(listener);
    }

    @Override
    public Effort effort() {
        return real.effort();
    }

    @Override
    public Ownership own() {
        return real.own();
    }

    @Override
    public void close() {
        real.close();
    }
}
