package io.perdure.store.sqlite;

import io.perdure.core.store.ChildNotice;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Lease;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What wakes runs: the one message of each, and their mailboxes. */
final class RunMessages {
    private static final String PUT =
            "INSERT OR REPLACE INTO run_message (tenant, run, queue, ready_at) VALUES (?, ?, ?, ?)";

    private static final String PUT_LEASED =
            "INSERT INTO run_message (tenant, run, queue, ready_at, token, lease_nanos, remote) VALUES (?, ?, ?, ?, ?, ?, ?)";

    private static final String RELEASE = """
            UPDATE run_message
            SET token = zeroblob(16), lapses = CASE leased_at_seq WHEN ? THEN lapses ELSE 0 END, ready_at = ?, wake_on = ?
            WHERE tenant = ? AND run = ?""";

    private static final String PUT_SIGNAL =
            "INSERT INTO signal (tenant, run, number, event, payload, at) VALUES (?, ?, ?, ?, ?, ?)";

    private final Transaction transaction;
    private final Session session;

    RunMessages(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    /** Gives the run a fresh message, or takes the one it has away from whoever holds it. */
    void putMessage(TenantId tenant, RunId run, QueueName queue, Instant ready) {
        session.update(PUT, tenant.value(), run.value(), queue.value(), ready);
        hintIfReady(tenant, queue, ready);
    }

    /** Gives a run that begins a message that its starter holds already. */
    void putLeased(TenantId tenant, RunId run, QueueName queue, Lease lease) {
        Instant ends = Due.in(lease.length()).fixedAt(transaction.now());
        session.update(
                PUT_LEASED,
                tenant.value(),
                run.value(),
                queue.value(),
                ends,
                lease.token(),
                lease.length().toNanos(),
                lease.isRemote());
    }

    /**
     * Lets go. The count of lapsed leases starts anew, unless the run has no new event and waits for none.
     *
     * @param last the number of its last event now
     */
    void release(RunFacts run, Instant ready, Set<EventName> wakeOn, long last) {
        session.update(
                RELEASE,
                wakeOn.isEmpty() ? last : RunRows.PROGRESS,
                ready,
                Texts.of(wakeOn),
                run.tenant().value(),
                run.id().value());
        hintIfReady(run.tenant(), run.queue(), ready);
    }

    /** Takes the message of a run that is parked or over; one that is over also gives up its workflow id and tells its parent. */
    void leave(RunFacts run, Appender.Change change) {
        session.update(
                "DELETE FROM run_message WHERE tenant = ? AND run = ?",
                run.tenant().value(),
                run.id().value());
        transaction.hint(new Hint.Ended(run.tenant(), run.id()));
        if (!change.status().isTerminal()) {
            return;
        }
        run.workflowIdKey().ifPresent(new Keys(transaction)::free);
        ChildNotice notice = new ChildNotice(run.id(), change.status(), change.output(), change.error());
        Optional.ofNullable(run.parent())
                .flatMap(parent -> RunFacts.read(session, run.tenant(), parent))
                .filter(parent -> !isOverForGood(parent))
                .ifPresent(parent -> deliver(parent, notice.event(), notice.payload()));
    }

    /** A failed run may be redriven, and then looks for what its children left it. */
    private static boolean isOverForGood(RunFacts run) {
        return run.status().isTerminal() && run.status() != RunStatus.FAILED;
    }

    /** Puts a signal into the mailbox; its number is the run's wakes. Wakes the run if it is suspended on that event. */
    long deliver(RunFacts run, EventName event, Json payload) {
        String tenant = run.tenant().value();
        long number = run.wakes() + 1;
        Instant now = transaction.now();
        session.update(
                "UPDATE run SET wakes = ? WHERE tenant = ? AND id = ?",
                number,
                tenant,
                run.id().value());
        session.update(PUT_SIGNAL, tenant, run.id().value(), number, event.value(), payload.text(), now);
        RunFacts.Message message = run.message();
        if (message != null
                && message.token() == null
                && message.wakeOn().contains(event)
                && message.readyAt() > transaction.nowMicros()) {
            session.update(
                    "UPDATE run_message SET ready_at = ? WHERE tenant = ? AND run = ?",
                    now,
                    tenant,
                    run.id().value());
            hintIfReady(run.tenant(), run.queue(), now);
        }
        return number;
    }

    long mailboxSize(RunFacts run) {
        return session.number(
                "SELECT count(*) FROM signal WHERE tenant = ? AND run = ?",
                run.tenant().value(),
                run.id().value());
    }

    private void hintIfReady(TenantId tenant, QueueName queue, Instant ready) {
        if (!ready.isAfter(transaction.now())) {
            transaction.hint(new Hint.Ready(tenant, queue));
        }
    }
}
