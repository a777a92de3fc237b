package io.perdure.core.telemetry;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Committed;
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
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store that is watched: it does what the one behind it does, and tells an {@link Observer} of it. */
final class ObservedStore implements Store {
    private final Store store;
    private final Environment environment;
    private final Observer observer;
    private final Teller teller;

    ObservedStore(Store store, Environment environment, Observer observer, Teller teller) {
        this.store = store;
        this.environment = environment;
        this.observer = observer;
        this.teller = teller;
    }

    /** Asks the store, and tells how long it took. */
    private <T> T timed(StoreCall call, Supplier<T> ask) {
        long began = environment.nanoTime();
        boolean answered = false;
        try {
            T answer = ask.get();
            answered = true;
            return answer;
        } finally {
            long nanos = environment.nanoTime() - began;
            boolean failed = !answered;
            teller.tell(() -> {
                observer.called(call, nanos);
                if (failed) {
                    observer.failed(call);
                }
            });
        }
    }

    private void timed(StoreCall call, Runnable ask) {
        timed(call, () -> {
            ask.run();
            return null;
        });
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        long began = environment.nanoTime();
        List<Outcome> outcomes = timed(StoreCall.COMMIT, () -> store.commit(batch));
        committed(batch, outcomes, environment.nanoTime() - began);
        return outcomes;
    }

    @Override
    public Committed commit(Batch batch, ClaimRuns along) {
        long began = environment.nanoTime();
        Committed committed = timed(StoreCall.COMMIT, () -> store.commit(batch, along));
        long nanos = environment.nanoTime() - began;
        // The run first: the signal that woke it is told of with its card.
        teller.tell(() -> observer.woken(committed.woken()));
        committed(batch, committed.outcomes(), nanos);
        return committed;
    }

    /** Each by itself: one that cannot be told of is no matter of the others. */
    private void committed(Batch batch, List<Outcome> outcomes, long nanos) {
        teller.tell(() -> observer.flushed(batch, nanos));
        for (int i = 0; i < outcomes.size(); i++) {
            int at = i;
            teller.tell(() -> observer.committed(batch.commits().get(at), outcomes.get(at)));
        }
    }

    @Override
    public Claimed claim(ClaimRuns request) {
        Claimed claimed = timed(StoreCall.CLAIM, () -> store.claim(request));
        teller.tell(() -> observer.claimed(claimed.runs()));
        return claimed;
    }

    @Override
    public SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes) {
        SizedSnapshots snapshots = timed(StoreCall.READ, () -> store.snapshots(tenant, runs, bytes));
        teller.tell(() -> observer.read(runs, snapshots));
        return snapshots;
    }

    @Override
    public List<Extended> extend(List<Extend> leases) {
        List<Extended> answers = timed(StoreCall.EXTEND, () -> store.extend(leases));
        teller.tell(() -> observer.extended(leases, answers));
        return answers;
    }

    @Override
    public int sweep(Sweep what, int limit) {
        int rows = timed(StoreCall.SWEEP, () -> store.sweep(what, limit));
        teller.tell(() -> observer.swept(what, rows));
        return rows;
    }

    @Override
    public Instant now() {
        return timed(StoreCall.READ, store::now);
    }

    @Override
    public void openLanes(ProcessId process, int count) {
        timed(StoreCall.WRITE, () -> store.openLanes(process, count));
    }

    @Override
    public Received receive(Receive request) {
        return timed(StoreCall.RECEIVE, () -> store.receive(request));
    }

    @Override
    public List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) {
        return timed(StoreCall.READ, () -> store.history(tenant, run, from, limit, bytes));
    }

    @Override
    public Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) {
        return timed(StoreCall.READ, () -> store.mailbox(tenant, run, from, bytes));
    }

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) {
        return timed(StoreCall.READ, () -> store.run(tenant, run));
    }

    @Override
    public Optional<RunId> runOf(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
        return timed(StoreCall.READ, () -> store.runOf(tenant, workflow, key));
    }

    @Override
    public Optional<RunId> activeRun(TenantId tenant, WorkflowName workflow, WorkflowId id) {
        return timed(StoreCall.READ, () -> store.activeRun(tenant, workflow, id));
    }

    @Override
    public RunPage runs(RunQuery query) {
        return timed(StoreCall.LIST, () -> store.runs(query));
    }

    @Override
    public List<RunId> overdue(TenantId tenant, Duration by, int limit) {
        return timed(StoreCall.LIST, () -> store.overdue(tenant, by, limit));
    }

    @Override
    public Map<WorkflowName, Instant> dueSince(TenantId tenant) {
        return timed(StoreCall.LIST, () -> store.dueSince(tenant));
    }

    @Override
    public Inspected inspect(Inspect request) {
        return timed(StoreCall.LIST, () -> store.inspect(request));
    }

    @Override
    public List<RunCount> runCounts(TenantId tenant) {
        return timed(StoreCall.LIST, () -> store.runCounts(tenant));
    }

    @Override
    public List<Queue> queues(TenantId tenant) {
        return timed(StoreCall.LIST, () -> store.queues(tenant));
    }

    @Override
    public Optional<Queue> queue(TenantId tenant, QueueName queue) {
        return timed(StoreCall.READ, () -> store.queue(tenant, queue));
    }

    @Override
    public List<MessageRow> messages(MessageQuery query) {
        return timed(StoreCall.LIST, () -> store.messages(query));
    }

    @Override
    public Set<MessageId> present(TenantId tenant, List<MessageId> messages) {
        return timed(StoreCall.READ, () -> store.present(tenant, messages));
    }

    @Override
    public Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
        return timed(StoreCall.LIST, () -> store.figures(tenant, queue));
    }

    @Override
    public void announce(Announcement worker) {
        timed(StoreCall.WRITE, () -> store.announce(worker));
    }

    @Override
    public void withdraw(TenantId tenant, ProcessId process) {
        timed(StoreCall.WRITE, () -> store.withdraw(tenant, process));
    }

    @Override
    public List<LiveWorker> workers(TenantId tenant) {
        return timed(StoreCall.LIST, () -> store.workers(tenant));
    }

    @Override
    public Optional<ApiKey> addKey(KeyDraft key) {
        return timed(StoreCall.WRITE, () -> store.addKey(key));
    }

    @Override
    public Optional<StoredKey> key(KeyId id) {
        return timed(StoreCall.READ, () -> store.key(id));
    }

    @Override
    public List<ApiKey> keys() {
        return timed(StoreCall.LIST, store::keys);
    }

    @Override
    public boolean revokeKey(TenantId tenant, KeyId id) {
        return timed(StoreCall.WRITE, () -> store.revokeKey(tenant, id));
    }

    @Override
    public NotedRequest noteRequest(RequestNote note) {
        return timed(StoreCall.WRITE, () -> store.noteRequest(note));
    }

    @Override
    public Optional<NotedRequest> request(TenantId tenant, UUID id) {
        return timed(StoreCall.READ, () -> store.request(tenant, id));
    }

    @Override
    public void answerRequest(RequestNote note, RequestAnswer answer) {
        timed(StoreCall.WRITE, () -> store.answerRequest(note, answer));
    }

    @Override
    public void forgetRequest(RequestNote note) {
        timed(StoreCall.WRITE, () -> store.forgetRequest(note));
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
