package io.perdure.store.sqlite;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Batch;
import io.perdure.core.store.Bounds;
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
import io.perdure.core.store.rows.Times;
import io.perdure.core.store.rows.Watches;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A store in one SQLite file. What changes goes through the {@link Writer}, what reads through the {@link Readers}. The rules
 * are those of the memory store, said in SQL: {@link Batches} leads to them.
 *
 * <p>Any number of processes may use one file: the writers of each take turns by SQLite's lock. The one that runs workers
 * also holds the {@link OwnerLock}.
 */
final class SqliteStore implements Store {
    private final DatabaseFile file;
    private final InstantSource clock;
    private final Limits limits;
    private final Watches watches = new Watches();
    private final Readers readers;
    private final Writer writer;
    private final Owners owners;
    private final ReentrantLock look = new ReentrantLock();
    private final Presence presence;
    private volatile boolean closed;

    private SqliteStore(DatabaseFile file, InstantSource clock, Limits limits, Session session) {
        this.file = file;
        this.clock = clock;
        this.limits = limits;
        this.readers = new Readers(file::openReader);
        this.writer = new Writer(file, session, clock, limits, watches);
        this.owners = new Owners(file, writer);
        this.presence = new Presence(file.path());
    }

    /** Opens the file, creating or migrating it where need be. */
    static SqliteStore open(DatabaseFile file, InstantSource clock, Limits limits) {
        return open(file, clock, limits, file.openWriter());
    }

    /** Opens the file for a writer of the caller's making. */
    static SqliteStore open(DatabaseFile file, InstantSource clock, Limits limits, Session writer) {
        return new SqliteStore(file, clock, limits, writer);
    }

    /** Also throws where the file is gone or nothing can be written any more: the clock alone would go on without either. */
    @Override
    public Instant now() {
        requireOpen();
        writer.requireAlive();
        requireFile();
        return time();
    }

    private void requireFile() {
        look.lock();
        try {
            presence.check();
        } finally {
            look.unlock();
        }
    }

    private Instant time() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException(ErrorCode.STORE_CLOSED, "The SQLite store %s was closed.".formatted(file));
        }
    }

    @Override
    public void openLanes(ProcessId process, int count) {
        Bounds.lanes(count);
        writer.write(transaction -> {
            new Lanes(transaction).open(process, count);
            return count;
        });
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        EventTexts texts = EventTexts.of(batch);
        return writer.write(transaction -> new Batches(transaction).commit(batch, texts));
    }

    @Override
    public Claimed claim(ClaimRuns request) {
        return writer.write(transaction -> new Claims(transaction).claim(request));
    }

    @Override
    public Received receive(Receive request) {
        return writer.write(transaction -> new Receives(transaction, new Messages(transaction)).receive(request));
    }

    @Override
    public List<Extended> extend(List<Extend> extensions) {
        Bounds.listed(extensions.size());
        return writer.write(transaction -> {
            Claims claims = new Claims(transaction);
            return extensions.stream().map(claims::extend).toList();
        });
    }

    @Override
    public SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes) {
        Bounds.listed(runs.size());
        return readers.snapshot(session -> new Snapshots(session, tenant).read(runs, bytes, Times.micros(time())));
    }

    @Override
    public List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) {
        Bounds.page(limit);
        return readers.snapshot(session -> new RunReads(session).history(tenant, run, from, limit, bytes));
    }

    @Override
    public Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) {
        return readers.snapshot(session -> new RunReads(session).mailbox(tenant, run, from, bytes));
    }

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) {
        return readers.read(session -> new RunReads(session).run(tenant, run));
    }

    @Override
    public Optional<RunId> runOf(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
        return holderOf(ClaimedKey.idempotency(tenant, workflow, key).orElseThrow());
    }

    @Override
    public Optional<RunId> activeRun(TenantId tenant, WorkflowName workflow, WorkflowId id) {
        return holderOf(ClaimedKey.workflowId(tenant, workflow, id).orElseThrow());
    }

    private Optional<RunId> holderOf(ClaimedKey key) {
        return readers.read(session -> Keys.holding(session, key, time()).map(holding -> new RunId(holding.holder())));
    }

    @Override
    public RunPage runs(RunQuery query) {
        return readers.snapshot(session -> new RunLists(session, limits.calls()).runs(query));
    }

    @Override
    public List<RunId> overdue(TenantId tenant, Duration by, int limit) {
        Bounds.page(limit);
        Instant passed = Bounds.ago(by, time());
        return readers.read(session -> RunLists.overdue(session, tenant, passed, limit));
    }

    @Override
    public Map<WorkflowName, Instant> dueSince(TenantId tenant) {
        Instant now = time();
        return readers.read(session -> RunLists.dueSince(session, tenant, now));
    }

    @Override
    public Inspected inspect(Inspect request) {
        return readers.snapshot(
                session -> new Inspections(session, request.tenant(), limits.calls()).inspect(request, time()));
    }

    @Override
    public List<RunCount> runCounts(TenantId tenant) {
        return readers.read(session -> new RunReads(session).counts(tenant));
    }

    @Override
    public List<Queue> queues(TenantId tenant) {
        return readers.read(session -> new QueueReads(session).queues(tenant));
    }

    @Override
    public Optional<Queue> queue(TenantId tenant, QueueName queue) {
        return readers.read(session -> new QueueReads(session).queue(tenant, queue));
    }

    @Override
    public List<MessageRow> messages(MessageQuery query) {
        return readers.snapshot(session -> new QueueReads(session).messages(query, moment(session)));
    }

    @Override
    public Set<MessageId> present(TenantId tenant, List<MessageId> messages) {
        Bounds.listed(messages.size());
        return readers.snapshot(session -> new QueueReads(session).present(tenant, messages));
    }

    @Override
    public Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
        return readers.snapshot(session -> new FigureReads(session, moment(session)).figures(tenant, queue));
    }

    private Moment moment(Session session) {
        return Moment.of(session, this::time);
    }

    @Override
    public void announce(Announcement worker) {
        writer.write(transaction -> {
            new Workers(transaction.session).announce(worker, transaction.now());
            return worker;
        });
    }

    @Override
    public void withdraw(TenantId tenant, ProcessId process) {
        writer.write(transaction -> {
            new Workers(transaction.session).withdraw(tenant, process);
            return process;
        });
    }

    @Override
    public List<LiveWorker> workers(TenantId tenant) {
        return readers.read(session -> new Workers(session).alive(tenant, time()));
    }

    @Override
    public Optional<ApiKey> addKey(KeyDraft key) {
        return writer.write(transaction -> new ApiKeys(transaction.session).add(key, transaction.now()));
    }

    @Override
    public Optional<StoredKey> key(KeyId id) {
        return readers.read(session -> new ApiKeys(session).find(id));
    }

    @Override
    public List<ApiKey> keys() {
        return readers.read(session -> new ApiKeys(session).all());
    }

    @Override
    public boolean revokeKey(TenantId tenant, KeyId id) {
        return writer.write(transaction -> new ApiKeys(transaction.session).revoke(tenant, id, transaction.now()));
    }

    @Override
    public NotedRequest noteRequest(RequestNote note) {
        return writer.write(transaction -> new Requests(transaction.session).note(note, transaction.now()));
    }

    @Override
    public Optional<NotedRequest> request(TenantId tenant, UUID id) {
        return readers.read(session -> new Requests(session).find(tenant, id));
    }

    @Override
    public void answerRequest(RequestNote note, RequestAnswer answer) {
        writer.write(transaction -> {
            new Requests(transaction.session).answer(note, answer);
            return note;
        });
    }

    @Override
    public void forgetRequest(RequestNote note) {
        writer.write(transaction -> {
            new Requests(transaction.session).forget(note);
            return note;
        });
    }

    @Override
    public int sweep(Sweep what, int limit) {
        Bounds.swept(limit);
        return what == Sweep.RETIRED_RUNS
                ? Retirement.sweep(writer, readers, limit)
                : Sweeps.sweep(writer, what, limit);
    }

    @Override
    public Watch watch(Consumer<Hint> listener) {
        requireOpen();
        Watch watch = watches.add(listener);
        writer.nudge();
        return watch;
    }

    @Override
    public Effort effort() {
        requireOpen();
        return writer.effort();
    }

    @Override
    public Ownership own() {
        requireOpen();
        return owners.own();
    }

    @Override
    public void close() {
        closed = true;
        watches.clear();
        // Closed from last to first, whatever one of them throws.
        try (owners;
                writer) {
            readers.close();
        }
    }
}
