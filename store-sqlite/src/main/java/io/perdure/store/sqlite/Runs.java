package io.perdure.store.sqlite;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Begins runs, and changes them from outside. What their workers do is in {@link Advances}. */
final class Runs {
    private static final String INSERT = """
            INSERT INTO run (row, tenant, id, workflow, version_named, version, kind, status, input, writes, idempotency_key,
                             workflow_id, parent, tags, retention_days, deadline, started_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String TAG =
            "INSERT INTO run_tag (tenant, name, value, started_at, run) VALUES (?, ?, ?, ?, ?)";

    private final Transaction transaction;
    private final Session session;
    private final Keys keys;
    private final Appender appender;
    private final RunMessages messages;

    Runs(Transaction transaction, Appender appender, RunMessages messages) {
        this.transaction = transaction;
        this.session = transaction.session;
        this.keys = new Keys(transaction);
        this.appender = appender;
        this.messages = messages;
    }

    Outcome start(Start start) {
        Definition definition = start.definition();
        StartOptions options = start.options();
        Optional<ClaimedKey> idempotency =
                ClaimedKey.idempotency(start.tenant(), definition.workflow(), options.idempotencyKey());
        Optional<ClaimedKey> workflowId =
                ClaimedKey.workflowId(start.tenant(), definition.workflow(), options.workflowId());
        String fingerprint = idempotency.isPresent() ? definition.fingerprint() : "";

        Optional<Keys.Holding> bound = idempotency.flatMap(keys::holding);
        if (bound.isPresent()) {
            return boundBefore(start, bound.get(), fingerprint);
        }
        Optional<Keys.Holding> active = workflowId.flatMap(keys::holding);
        if (active.isPresent()) {
            RunId winner = new RunId(active.get().holder());
            idempotency.ifPresent(key -> keys.bind(key, winner.value(), fingerprint, null));
            return new Outcome.Duplicate(winner, statusOf(start.tenant(), winner), Outcome.Key.WORKFLOW_ID);
        }
        Optional<RunFacts> sameId = RunFacts.read(session, start.tenant(), start.run());
        if (sameId.isPresent()) {
            return new Outcome.Conflict(sameId.get().last());
        }
        if (transaction.held.isRetiring(session, start.tenant(), start.run())) {
            new Retirement(transaction).makeWayFor(start.tenant(), start.run());
        }
        idempotency.ifPresent(key -> keys.bind(key, start.run().value(), fingerprint, null));
        workflowId.ifPresent(key -> keys.bind(key, start.run().value(), "", null));
        return create(start);
    }

    private Outcome boundBefore(Start start, Keys.Holding bound, String fingerprint) {
        RunId winner = new RunId(bound.holder());
        return bound.detail().equals(fingerprint)
                ? new Outcome.Duplicate(winner, statusOf(start.tenant(), winner), Outcome.Key.IDEMPOTENCY_KEY)
                : new Outcome.Refused(
                        Refusal.KEY_REUSED,
                        "Idempotency key \"%s\" of workflow %s started run %s with other input."
                                .formatted(
                                        start.options().idempotencyKey(),
                                        start.definition().workflow(),
                                        winner));
    }

    private RunStatus statusOf(TenantId tenant, RunId run) {
        return session.first(
                        "SELECT status FROM run WHERE tenant = ? AND id = ?",
                        row -> RunFacts.status(row.text(1)),
                        tenant.value(),
                        run.value())
                .orElseThrow(() -> new IllegalStateException("Run %s has a key that outlived it".formatted(run)));
    }

    private Outcome create(Start start) {
        Instant now = transaction.now();
        Definition definition = start.definition();
        StartOptions options = start.options();
        Instant deadline = options.deadline() instanceof Due.Never
                ? null
                : options.deadline().fixedAt(now);
        session.update(
                INSERT,
                transaction.held.nextRow(session),
                start.tenant().value(),
                start.run().value(),
                definition.workflow().value(),
                definition.version(),
                definition.version(),
                definition.kind() == null ? null : definition.kind().name(),
                definition.input().text(),
                Texts.ofValues(definition.writes()),
                options.idempotencyKey() == null
                        ? null
                        : options.idempotencyKey().value(),
                options.workflowId() == null ? null : options.workflowId().value(),
                options.parent() == null ? null : options.parent().value(),
                Texts.of(options.tags()),
                options.retentionDays(),
                deadline,
                now);
        options.tags()
                .forEach((name, value) -> session.update(
                        TAG,
                        start.tenant().value(),
                        name,
                        value,
                        now,
                        start.run().value()));
        transaction.countRun(start.tenant(), definition.workflow(), RunStatus.RUNNING, 1);
        Instant due = start.ready().fixedAt(now);
        Instant ready = deadline != null && deadline.isBefore(due) ? deadline : due;
        QueueName queue = QueueName.ofRuns(definition.workflow(), definition.version());
        Lease lease = start.lease();
        if (lease == null) {
            messages.putMessage(start.tenant(), start.run(), queue, ready);
            // A delayed one too: whoever waits learns when to look.
            transaction.hint(new Hint.Ready(start.tenant(), queue));
        } else {
            messages.putLeased(start.tenant(), start.run(), queue, lease);
        }
        return new Outcome.Started(now, deadline);
    }

    Outcome intervene(Intervene intervene) {
        Optional<RunFacts> found = RunFacts.read(session, intervene.tenant(), intervene.run());
        if (found.isEmpty()) {
            return noSuchRun(intervene.tenant(), intervene.run());
        }
        RunFacts run = found.get();
        if (intervene.ifLast().isPresent() && intervene.ifLast().getAsLong() != run.last()) {
            return new Outcome.Conflict(run.last());
        }
        RunStatus status = run.status();
        for (var draft : intervene.events()) {
            Optional<RunStatus> next = status.after(draft.event());
            boolean repair = status == RunStatus.RUNNING && draft.event() instanceof Event.RunResumed;
            if (next.isEmpty() || (repair && intervene.ifLast().isEmpty())) {
                return notAllowed(run, status, draft.event());
            }
            status = next.get();
        }
        boolean wasOver = run.status().isTerminal();
        Optional<ClaimedKey> workflowId = run.workflowIdKey();
        if (wasOver && workflowId.flatMap(keys::holding).isPresent()) {
            return new Outcome.Refused(
                    Refusal.WORKFLOW_ID_HELD,
                    "Run %s cannot go on while another run holds workflow id \"%s\"."
                            .formatted(run.id(), run.workflowId()));
        }
        Appender.Change change = appender.append(run, intervene.events());
        if (wasOver && !change.status().isTerminal()) {
            // Also where it is parked again at once: a parked run is active.
            workflowId.ifPresent(key -> keys.bind(key, run.id().value(), "", null));
        }
        if (change.status() == RunStatus.RUNNING) {
            QueueName queue = QueueName.ofRuns(run.workflow(), change.version());
            Instant ready = intervene.ready().fixedAt(transaction.now());
            messages.putMessage(run.tenant(), run.id(), queue, run.orDeadline(ready));
        } else {
            messages.leave(run, change);
        }
        List<Recorded> appended = change.events();
        return new Outcome.Appended(appended, change.status());
    }

    Outcome signal(Signal signal) {
        Optional<RunFacts> found = RunFacts.read(session, signal.tenant(), signal.run());
        if (found.isEmpty()) {
            return noSuchRun(signal.tenant(), signal.run());
        }
        RunFacts run = found.get();
        Optional<ClaimedKey> deduplication = ClaimedKey.signal(signal);
        Optional<Keys.Holding> earlier = deduplication.flatMap(keys::holding);
        if (earlier.isPresent()) {
            return new Outcome.Signalled(Long.parseLong(earlier.get().detail()), false);
        }
        if (run.status().isTerminal()) {
            return new Outcome.Refused(
                    Refusal.RUN_ENDED,
                    "Run %s is %s and takes no signals."
                            .formatted(run.id(), run.status().word()));
        }
        long waiting = messages.mailboxSize(run);
        if (waiting >= transaction.limits.runs().mailbox()) {
            return new Outcome.Refused(
                    Refusal.MAILBOX_FULL, "Run " + run.id() + " has " + waiting + " signals waiting.");
        }
        long number = messages.deliver(run, signal.event(), signal.payload());
        deduplication.ifPresent(key -> keys.bind(key, run.id().value(), Long.toString(number), null));
        return new Outcome.Signalled(number, true);
    }

    static Outcome noSuchRun(TenantId tenant, RunId run) {
        return new Outcome.Refused(Refusal.NO_SUCH_RUN, "Tenant %s has no run %s.".formatted(tenant, run));
    }

    private static Outcome notAllowed(RunFacts run, RunStatus status, Event event) {
        Refusal why =
                status.isTerminal() && !(event instanceof Event.RunRedriven) ? Refusal.RUN_ENDED : Refusal.NOT_ALLOWED;
        return new Outcome.Refused(
                why,
                "Run %s is %s, which does not allow %s."
                        .formatted(run.id(), status.word(), event.getClass().getSimpleName()));
    }
}
