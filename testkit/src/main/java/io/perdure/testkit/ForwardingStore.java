package io.perdure.testkit;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Effort;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Inspect;
import io.perdure.core.store.Inspected;
import io.perdure.core.store.KeyDraft;
import io.perdure.core.store.MailboxPage;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Queue;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.core.store.StoredKey;
import io.perdure.core.store.Sweep;
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

/** A store that hands everything on to another. Whoever extends it bends one thing: to plant a fault, or to watch. */
public abstract class ForwardingStore implements Store {
    /** The store that does the work. */
    protected final Store store;

    protected ForwardingStore(Store store) {
        this.store = store;
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public void openLanes(ProcessId process, int count) {
        store.openLanes(process, count);
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        return store.commit(batch);
    }

    @Override
    public Claimed claim(ClaimRuns request) {
        return store.claim(request);
    }

    @Override
    public Received receive(Receive request) {
        return store.receive(request);
    }

    @Override
    public List<Extended> extend(List<Extend> leases) {
        return store.extend(leases);
    }

    @Override
    public SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes) {
        return store.snapshots(tenant, runs, bytes);
    }

    @Override
    public List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) {
        return store.history(tenant, run, from, limit, bytes);
    }

    @Override
    public Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) {
        return store.mailbox(tenant, run, from, bytes);
    }

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) {
        return store.run(tenant, run);
    }

    @Override
    public Optional<RunId> runOf(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
        return store.runOf(tenant, workflow, key);
    }

    @Override
    public Optional<RunId> activeRun(TenantId tenant, WorkflowName workflow, WorkflowId id) {
        return store.activeRun(tenant, workflow, id);
    }

    @Override
    public RunPage runs(RunQuery query) {
        return store.runs(query);
    }

    @Override
    public List<RunId> overdue(TenantId tenant, Duration by, int limit) {
        return store.overdue(tenant, by, limit);
    }

    @Override
    public Map<WorkflowName, Instant> dueSince(TenantId tenant) {
        return store.dueSince(tenant);
    }

    @Override
    public Inspected inspect(Inspect request) {
        return store.inspect(request);
    }

    @Override
    public List<RunCount> runCounts(TenantId tenant) {
        return store.runCounts(tenant);
    }

    @Override
    public List<Queue> queues(TenantId tenant) {
        return store.queues(tenant);
    }

    @Override
    public Optional<Queue> queue(TenantId tenant, QueueName queue) {
        return store.queue(tenant, queue);
    }

    @Override
    public List<MessageRow> messages(MessageQuery query) {
        return store.messages(query);
    }

    @Override
    public Set<MessageId> present(TenantId tenant, List<MessageId> messages) {
        return store.present(tenant, messages);
    }

    @Override
    public Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
        return store.figures(tenant, queue);
    }

    @Override
    public void announce(Announcement worker) {
        store.announce(worker);
    }

    @Override
    public void withdraw(TenantId tenant, ProcessId process) {
        store.withdraw(tenant, process);
    }

    @Override
    public List<LiveWorker> workers(TenantId tenant) {
        return store.workers(tenant);
    }

    @Override
    public Optional<ApiKey> addKey(KeyDraft key) {
        return store.addKey(key);
    }

    @Override
    public Optional<StoredKey> key(KeyId id) {
        return store.key(id);
    }

    @Override
    public List<ApiKey> keys() {
        return store.keys();
    }

    @Override
    public boolean revokeKey(TenantId tenant, KeyId id) {
        return store.revokeKey(tenant, id);
    }

    @Override
    public NotedRequest noteRequest(RequestNote note) {
        return store.noteRequest(note);
    }

    @Override
    public Optional<NotedRequest> request(TenantId tenant, UUID id) {
        return store.request(tenant, id);
    }

    @Override
    public void answerRequest(RequestNote note, RequestAnswer answer) {
        store.answerRequest(note, answer);
    }

    @Override
    public void forgetRequest(RequestNote note) {
        store.forgetRequest(note);
    }

    @Override
    public int sweep(Sweep what, int limit) {
        return store.sweep(what, limit);
    }

    @Override
    public Watch watch(Consumer<Hint> listener) {
        return store.watch(listener);
    }

    @Override
    public Effort effort() {
        return store.effort();
    }

    @Override
    public Ownership own() {
        return store.own();
    }

    @Override
    public void endWithin(Duration time) {
        store.endWithin(time);
    }

    @Override
    public void close() {
        store.close();
    }
}
