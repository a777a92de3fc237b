package io.perdure.store.sqlite;

import io.perdure.core.store.Hint;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.rows.Texts;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.store.sqlite.Transaction.Figure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends, settles and gives up messages of users, one at a time. {@link Bulk} does the plain ones many at a time. */
final class Messages {
    private static final String BY_ID =
            "SELECT " + StoredMessage.COLUMNS + " FROM message m WHERE m.tenant = ? AND m.id = ?";

    private static final String INSERT = """
            INSERT INTO message (tenant, id, queue, ready_at, expires_at, sent_at, lease_nanos, group_key, group_seq,
                                 blocked, headers, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String RETRY = """
            UPDATE message SET token = zeroblob(16), ready_at = ?, expires_at = ?, last_error = ?
            WHERE row = ?""";

    private static final String RELEASE =
            "UPDATE message SET token = zeroblob(16), ready_at = ?, deliveries = deliveries - 1 WHERE row = ?";

    private static final String MAKE_DEAD_LETTER = """
            UPDATE message
            SET queue = ?, group_seq = 0, blocked = 0, token = zeroblob(16), ready_at = ?, expires_at = ?,
                last_error = ?, dead_origin = ?, dead_reason = ?, dead_at = ?, dead_deliveries = deliveries,
                deliveries = 0
            WHERE row = ?""";

    private static final String GIVE_BACK_DEAD_LETTER =
            "UPDATE message SET token = zeroblob(16), ready_at = ?, last_error = ? WHERE row = ?";

    private final Transaction transaction;
    private final Session session;
    private final Keys keys;
    private final Groups groups;

    Messages(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
        this.keys = new Keys(transaction);
        this.groups = new Groups(session);
    }

    Outcome send(Send send) {
        return obstacle(send.tenant(), send.messages())
                .orElseGet(() -> new Outcome.Sent(putAll(send.tenant(), send.messages())));
    }

    /** What stands in the way of sending: a queue that is not there, or that does not allow the delay. */
    Optional<Outcome> obstacle(TenantId tenant, List<NewMessage> sends) {
        for (NewMessage message : sends) {
            Optional<Outcome> obstacle = obstacle(tenant, message.queue(), message.delay());
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        return Optional.empty();
    }

    private Optional<Outcome> obstacle(TenantId tenant, QueueName name, Duration delay) {
        Optional<QueueRow> queue = transaction.queues.find(tenant, name);
        if (queue.isEmpty()) {
            return Optional.of(QueueRows.noSuchQueue(tenant, name));
        }
        Duration most = queue.get().settings().maxDelay();
        return delay.compareTo(most) <= 0
                ? Optional.empty()
                : Optional.of(new Outcome.Refused(
                        Refusal.DELAY_TOO_LONG,
                        "Queue \"%s\" allows delays up to %s, not %s.".formatted(name, most, delay)));
    }

    List<SentMessage> putAll(TenantId tenant, List<NewMessage> sends) {
        List<SentMessage> sent = new ArrayList<>();
        for (NewMessage message : sends) {
            sent.add(put(tenant, message));
        }
        return sent;
    }

    private SentMessage put(TenantId tenant, NewMessage message) {
        Optional<ClaimedKey> deduplication = ClaimedKey.message(tenant, message);
        Optional<Keys.Holding> earlier = deduplication.flatMap(keys::holding);
        if (earlier.isPresent()) {
            return new SentMessage(new MessageId(earlier.get().holder()), false);
        }
        if (find(tenant, message.id()).isPresent()) {
            return new SentMessage(message.id(), false);
        }
        Instant now = transaction.now();
        deduplication.ifPresent(key -> keys.bind(
                key,
                message.id().value(),
                "",
                now.plus(transaction.limits.queues().deduplicationWindow())));
        QueueRow queue = transaction.queues.require(tenant, message.queue());
        String group = message.group() == null ? null : message.group().value();
        Instant ready = Due.in(message.delay()).fixedAt(now);
        long number = groups.join(queue, group);
        session.update(
                INSERT,
                tenant.value(),
                message.id().value(),
                queue.id(),
                ready,
                ready.plus(queue.settings().retention()),
                now,
                queue.settings().visibility().toNanos(),
                group,
                number,
                Groups.isBlocked(number),
                Texts.of(message.headers()),
                message.body().text());
        transaction.calendar().putWaiting(queue.id(), transaction.nowMicros(), Times.micros(ready));
        transaction.count(queue, Figure.CAME_IN, 1);
        if (message.delay().isZero()) {
            transaction.hint(new Hint.Ready(tenant, message.queue()));
        }
        return new SentMessage(message.id(), true);
    }

    Optional<StoredMessage> find(TenantId tenant, MessageId id) {
        return session.first(BY_ID, StoredMessage::of, tenant.value(), id.value());
    }

    Outcome settle(Settle settle) {
        Optional<StoredMessage> found = find(settle.tenant(), settle.receipt().message())
                .filter(message -> message.isHeldBy(settle.receipt().token()));
        if (found.isEmpty()) {
            return new Outcome.LeaseLost(null);
        }
        StoredMessage message = found.get();
        QueueRow queue = transaction.queues.of(message.queue());
        Optional<Outcome> obstacle = obstacle(settle.tenant(), settle.sends());
        if (obstacle.isEmpty() && settle.verdict() instanceof Verdict.Retry retry) {
            obstacle = obstacle(settle.tenant(), queue.name(), retry.delay());
        }
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        Fate fate = switch (settle.verdict()) {
            case Verdict.Done() -> done(queue, message);
            case Verdict.Retry retry -> retry(queue, message, retry);
            case Verdict.Release() -> release(queue, message);
            case Verdict.Reject(String error) -> giveUp(queue, message, Reason.REJECTED, error);
        };
        return new Outcome.Settled(fate, putAll(settle.tenant(), settle.sends()));
    }

    private Fate done(QueueRow queue, StoredMessage message) {
        remove(message);
        transaction.count(queue, Figure.WENT_OUT, 1);
        hintForGroup(queue, message);
        return Fate.DONE;
    }

    private Fate retry(QueueRow queue, StoredMessage message, Verdict.Retry retry) {
        if (queue.isUsedUp(message.deliveries())) {
            return giveUp(queue, message, Reason.DELIVERIES_USED_UP, retry.error());
        }
        transaction.count(queue, Figure.RETRIED, 1);
        Instant ready = Due.in(retry.delay()).fixedAt(transaction.now());
        session.update(RETRY, ready, ready.plus(queue.retention()), retry.error(), message.row());
        waits(message, queue, ready);
        if (message.group() != null || retry.delay().isZero()) {
            transaction.hint(new Hint.Ready(queue.tenant(), queue.name()));
        }
        return Fate.RETRIED;
    }

    private Fate release(QueueRow queue, StoredMessage message) {
        session.update(RELEASE, transaction.now(), message.row());
        waits(message, queue, transaction.now());
        transaction.hint(new Hint.Ready(queue.tenant(), queue.name()));
        return Fate.RELEASED;
    }

    /** Keeps the calendar: a message was in it as it was read, and now waits in this queue with nobody to hold it. */
    void waits(StoredMessage message, QueueRow queue, Instant ready) {
        transaction.calendar().take(message);
        transaction.calendar().putWaiting(queue.id(), message.sentAt(), Times.micros(ready));
    }

    /** Dead-letters a message, or drops it where its queue keeps no dead letters. A dead letter stays where it is. */
    Fate giveUp(QueueRow queue, StoredMessage message, Reason reason, @Nullable String error) {
        Instant now = transaction.now();
        if (queue.name().holdsDeadLetters()) {
            session.update(GIVE_BACK_DEAD_LETTER, now, error, message.row());
            waits(message, queue, now);
            transaction.hint(new Hint.Ready(queue.tenant(), queue.name()));
            return Fate.DEAD_LETTERED;
        }
        transaction.count(queue, Figure.DEAD_LETTERED, 1);
        hintForGroup(queue, message);
        if (!queue.settings().deadLetters()) {
            remove(message);
            return Fate.DROPPED;
        }
        QueueRow deadLetters =
                transaction.queues.require(queue.tenant(), queue.name().deadLetters());
        transaction.leased.forget(message.id());
        session.update(
                MAKE_DEAD_LETTER,
                deadLetters.id(),
                now,
                now.plus(queue.settings().deadLetterRetention()),
                error,
                queue.name().value(),
                reason.name(),
                now,
                message.row());
        waits(message, deadLetters, now);
        groups.leave(message);
        transaction.count(deadLetters, Figure.CAME_IN, 1);
        transaction.hint(new Hint.Ready(queue.tenant(), deadLetters.name()));
        return Fate.DEAD_LETTERED;
    }

    /** Removes a message that has outlived its retention. */
    void expire(QueueRow queue, StoredMessage message) {
        remove(message);
        transaction.count(queue, Figure.EXPIRED, 1);
        hintForGroup(queue, message);
    }

    /** Takes a message out of its queue and its group. */
    void remove(StoredMessage message) {
        transaction.leased.forget(message.id());
        session.update("DELETE FROM message WHERE row = ?", message.row());
        transaction.calendar().take(message);
        groups.leave(message);
    }

    /** Settling the head of a group lets the next one go. */
    private void hintForGroup(QueueRow queue, StoredMessage message) {
        if (message.group() != null) {
            transaction.hint(new Hint.Ready(queue.tenant(), queue.name()));
        }
    }
}
