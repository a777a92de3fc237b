package io.perdure.store.postgres;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Batch;
import io.perdure.core.store.Bounds;
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
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Due;
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
 * A store in a Postgres schema, which any number of processes share. What changes rows is a function of the schema, one call
 * for each: what it decides it decides under locks, by the server's clock, in one transaction. So a process that stops between
 * two statements holds nothing, and the network is crossed once.
 */
final class PostgresStore implements Store {
    /** Two batches that met crosswise do not meet again after a moment. For anything longer the ledger has its own patience. */
    private static final Duration WHILE_OTHERS_MEET = Duration.ofSeconds(5);

    /** A lease of ten seconds is extended every three: who does it wants to know before the next time. */
    private static final Duration UNTIL_THE_NEXT_EXTENSION = Duration.ofSeconds(3);

    private final PostgresUrl url;
    private final Limits limits;
    private final Connections connections;
    private final Connections claiming;
    private final Connections reads;
    private final Connections calls;
    private final Connections leases;
    private final Patience patience;
    private final Patience patienceWithBatches;
    private final Patience patienceWithLeases;
    private final Wakeups wakeups;
    private final Flusher flusher;
    private final Receives receives;
    private final Claims claims;
    private final Sweeps sweeps;
    private final Shutdown shutdown;
    private volatile boolean closed;

    private PostgresStore(PostgresUrl url, Environment environment, Limits limits) {
        this.url = url;
        this.limits = limits;
        this.connections = Connections.to(url);
        this.claiming = connections.as(Share.CLAIMS);
        this.reads = connections.as(Share.READS);
        this.calls = connections.as(Share.CALLS);
        this.leases = Connections.forLeases(url);
        this.patience = new Patience(environment, limits.ledger().patience());
        this.patienceWithBatches = new Patience(environment, WHILE_OTHERS_MEET);
        this.patienceWithLeases = new Patience(environment, UNTIL_THE_NEXT_EXTENSION);
        this.wakeups = new Wakeups(connections, environment);
        this.flusher = new Flusher(connections, limits, wakeups::tell);
        this.receives = new Receives(calls, wakeups::tell);
        this.claims = new Claims(claiming, leases);
        this.sweeps = new Sweeps(calls, limits, wakeups::tell);
        this.shutdown = new Shutdown(
                environment, List.of(patience, patienceWithBatches, patienceWithLeases), List.of(connections, leases));
    }

    /** Opens the store, creating or migrating its schema where need be. */
    static PostgresStore open(PostgresUrl url, Environment environment, Limits limits) {
        new Migrations(url).ready();
        return new PostgresStore(url, environment, limits);
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException(ErrorCode.STORE_CLOSED, "The Postgres store %s was closed.".formatted(url));
        }
    }

    @Override
    public Instant now() {
        requireOpen();
        // Asked with claims, which must not wait for those who read.
        return patience.within(left ->
                claiming.waiting(left).read(session -> Times.instant(session.number("SELECT perdure.clock_1()"))));
    }

    @Override
    public void openLanes(ProcessId process, int count) {
        requireOpen();
        Bounds.lanes(count);
        wakeups.isOwn(process);
        // Without a patience: the ledger tries again for as long as its callers have time left.
        connections.write(
                session -> session.list("SELECT perdure.open_lanes_1(?, ?)", _ -> count, process.value(), count));
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        requireOpen();
        return patienceWithBatches.ifNothingHappened(() -> flusher.commit(batch));
    }

    @Override
    public Committed commit(Batch batch, ClaimRuns along) {
        requireOpen();
        return patienceWithBatches.ifNothingHappened(() -> flusher.commit(batch, along));
    }

    @Override
    public Claimed claim(ClaimRuns request) {
        requireOpen();
        return patience.within(left -> claims.claim(request, left));
    }

    @Override
    public Received receive(Receive request) {
        requireOpen();
        return patience.with(() -> receives.receive(request));
    }

    @Override
    public List<Extended> extend(List<Extend> extensions) {
        requireOpen();
        Bounds.listed(extensions.size());
        return patienceWithLeases.with(() -> claims.extend(extensions));
    }

    @Override
    public SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes) {
        Bounds.listed(runs.size());
        requireOpen();
        // What a claim reads goes as claims do: runs must not wait for those who read. A large run, which is read
        // aside and one at a time, must not keep claims waiting: it takes any connection that is free.
        Connections share = bytes > limits.calls().readBytes() ? connections : claiming;
        return patience.within(
                left -> share.waiting(left).snapshot(session -> new Snapshots(session, tenant).read(runs, bytes)));
    }

    @Override
    public List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) {
        Bounds.page(limit);
        return snapshot(session -> new RunReads(session).history(tenant, run, from, limit, bytes));
    }

    @Override
    public Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) {
        return snapshot(session -> new RunReads(session).mailbox(tenant, run, from, bytes));
    }

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) {
        return read(session -> new RunReads(session).run(tenant, run));
    }

    @Override
    public Optional<RunId> runOf(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
        return holderOf(tenant, "idempotency", workflow, key.value());
    }

    @Override
    public Optional<RunId> activeRun(TenantId tenant, WorkflowName workflow, WorkflowId id) {
        return holderOf(tenant, "workflow id", workflow, id.value());
    }

    private Optional<RunId> holderOf(TenantId tenant, String scope, WorkflowName workflow, String key) {
        return read(session ->
                session.first("""
                SELECT holder FROM perdure.claimed_key
                WHERE tenant = ? AND scope = ? AND within = ? AND value = ?""", row -> new RunId(row.uuid(1)), tenant.value(), scope, workflow.value(), key));
    }

    @Override
    public RunPage runs(RunQuery query) {
        return listing(session -> new RunLists(session, limits.calls()).runs(query));
    }

    @Override
    public List<RunId> overdue(TenantId tenant, Duration by, int limit) {
        Bounds.page(limit);
        Instant earlier = Bounds.ago(by, Due.FAR_FUTURE);
        long micros = Times.micros(Due.FAR_FUTURE) - Times.micros(earlier);
        return listing(session -> new RunLists(session, limits.calls()).overdue(tenant, micros, limit));
    }

    @Override
    public Map<WorkflowName, Instant> dueSince(TenantId tenant) {
        return listing(session -> new RunLists(session, limits.calls()).dueSince(tenant));
    }

    @Override
    public Inspected inspect(Inspect request) {
        return snapshot(session -> new Inspections(session, request.tenant(), limits.calls()).inspect(request));
    }

    @Override
    public List<RunCount> runCounts(TenantId tenant) {
        return read(session -> new RunReads(session).counts(tenant));
    }

    @Override
    public List<Queue> queues(TenantId tenant) {
        return read(session -> new QueueReads(session).queues(tenant));
    }

    @Override
    public Optional<Queue> queue(TenantId tenant, QueueName queue) {
        return read(session -> new QueueReads(session).queue(tenant, queue));
    }

    @Override
    public List<MessageRow> messages(MessageQuery query) {
        return snapshot(session -> new QueueReads(session).messages(query));
    }

    @Override
    public Set<MessageId> present(TenantId tenant, List<MessageId> messages) {
        Bounds.listed(messages.size());
        return read(session -> new QueueReads(session).present(tenant, messages));
    }

    @Override
    public Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
        return read(session -> new QueueReads(session).figures(tenant, queue));
    }

    private <T> T read(Connections.Work<T> work) {
        requireOpen();
        return patience.within(left -> reads.waiting(left).read(work));
    }

    private <T> T snapshot(Connections.Work<T> work) {
        requireOpen();
        return patience.within(left -> reads.waiting(left).snapshot(work));
    }

    private <T> T listing(Connections.Work<T> work) {
        requireOpen();
        return patience.within(left -> reads.waiting(left).listing(work));
    }

    @Override
    public void announce(Announcement worker) {
        requireOpen();
        // Who says twice that it is alive is alive once.
        patience.with(() -> connections.write(session -> new Workers(session).announce(worker)));
    }

    @Override
    public void withdraw(TenantId tenant, ProcessId process) {
        requireOpen();
        patience.with(() -> connections.write(session -> new Workers(session).withdraw(tenant, process)));
    }

    @Override
    public List<LiveWorker> workers(TenantId tenant) {
        return read(session -> new Workers(session).alive(tenant));
    }

    @Override
    public Optional<ApiKey> addKey(KeyDraft key) {
        requireOpen();
        // The same key is added once.
        return patience.with(() -> calls.transaction(session -> new ApiKeys(session).add(key)));
    }

    @Override
    public Optional<StoredKey> key(KeyId id) {
        return read(session -> new ApiKeys(session).find(id));
    }

    @Override
    public List<ApiKey> keys() {
        return read(session -> new ApiKeys(session).all());
    }

    @Override
    public boolean revokeKey(TenantId tenant, KeyId id) {
        requireOpen();
        // Done again it would answer that it was done before.
        return patience.ifNothingHappened(() -> calls.write(session -> new ApiKeys(session).revoke(tenant, id)));
    }

    @Override
    public NotedRequest noteRequest(RequestNote note) {
        requireOpen();
        // The same note is kept once.
        return patience.with(() -> calls.write(session -> new Requests(session).note(note)));
    }

    @Override
    public Optional<NotedRequest> request(TenantId tenant, UUID id) {
        return read(session -> new Requests(session).find(tenant, id));
    }

    @Override
    public void answerRequest(RequestNote note, RequestAnswer answer) {
        requireOpen();
        patience.with(() -> calls.write(session -> new Requests(session).answer(note, answer)));
    }

    @Override
    public void forgetRequest(RequestNote note) {
        requireOpen();
        patience.with(() -> calls.write(session -> new Requests(session).forget(note)));
    }

    @Override
    public int sweep(Sweep what, int limit) {
        requireOpen();
        Bounds.swept(limit);
        return patience.with(() -> sweeps.sweep(what, limit));
    }

    @Override
    public Watch watch(Consumer<Hint> listener) {
        requireOpen();
        return wakeups.watch(listener);
    }

    @Override
    public Effort effort() {
        return read(Meter::read);
    }

    /** There is nothing to hold: a process that runs workers shares the database with others that do. */
    @Override
    public Ownership own() {
        requireOpen();
        return () -> {};
    }

    @Override
    public void endWithin(Duration time) {
        shutdown.within(time);
    }

    @Override
    public void close() {
        closed = true;
        shutdown.close();
        wakeups.close();
        leases.close();
        connections.close();
    }
}
