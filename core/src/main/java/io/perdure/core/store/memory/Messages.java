package io.perdure.core.store.memory;

import io.perdure.core.store.Hint;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.memory.QueueState.Message;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The rules by which messages of users come, are settled, are given up and go. */
final class Messages {
    private final Tables tables;

    Messages(Tables tables) {
        this.tables = tables;
    }

    Outcome send(Send send, Instant now) {
        return obstacle(send.tenant(), send.messages())
                .orElseGet(() -> new Outcome.Sent(putAll(send.tenant(), send.messages(), now)));
    }

    /** What stands in the way of sending: a queue that is not there, or that does not allow the delay. */
    Optional<Outcome> obstacle(TenantId tenant, List<NewMessage> sends) {
        return sends.stream()
                .map(message -> obstacle(tenant, message.queue(), message.delay()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Outcome> obstacle(TenantId tenant, QueueName name, Duration delay) {
        QueueState queue = tables.queues(tenant).get(name);
        if (queue == null) {
            return Optional.of(noSuchQueue(tenant, name));
        }
        Duration most = queue.settings.maxDelay();
        return delay.compareTo(most) <= 0
                ? Optional.empty()
                : Optional.of(new Outcome.Refused(
                        Refusal.DELAY_TOO_LONG,
                        "Queue \"%s\" allows delays up to %s, not %s.".formatted(name, most, delay)));
    }

    List<SentMessage> putAll(TenantId tenant, List<NewMessage> sends, Instant now) {
        return sends.stream().map(message -> put(tenant, message, now)).toList();
    }

    private SentMessage put(TenantId tenant, NewMessage message, Instant now) {
        Optional<ClaimedKey> deduplication = ClaimedKey.message(tenant, message);
        Optional<Keys.Holding> earlier = deduplication.flatMap(key -> tables.keys.holding(key, now));
        if (earlier.isPresent()) {
            return new SentMessage(new MessageId(earlier.get().holder()), false);
        }
        if (find(tenant, message.id()).isPresent()) {
            return new SentMessage(message.id(), false);
        }
        deduplication.ifPresent(key -> tables.keys.bind(
                key,
                new Keys.Holding(
                        message.id().value(),
                        "",
                        now.plus(tables.limits.queues().deduplicationWindow()))));
        QueueState queue = queue(tenant, message.queue());
        Instant ready = Due.in(message.delay()).fixedAt(now);
        queue.add(new Message(message, now, ready, ready.plus(queue.settings.retention())));
        if (message.delay().isZero()) {
            tables.hint(new Hint.Ready(tenant, message.queue()));
        }
        return new SentMessage(message.id(), true);
    }

    Outcome settle(Settle settle, Instant now) {
        Optional<QueueState> found = find(settle.tenant(), settle.receipt().message());
        if (found.isEmpty()) {
            return new Outcome.LeaseLost(null);
        }
        QueueState queue = found.get();
        Message message =
                Objects.requireNonNull(queue.messages.get(settle.receipt().message()));
        if (!message.isHeldBy(settle.receipt().token())) {
            return new Outcome.LeaseLost(null);
        }
        Optional<Outcome> obstacle = obstacle(settle.tenant(), settle.sends());
        if (obstacle.isEmpty() && settle.verdict() instanceof Verdict.Retry retry) {
            obstacle = obstacle(settle.tenant(), queue.name, retry.delay());
        }
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        Fate fate = switch (settle.verdict()) {
            case Verdict.Done() -> done(queue, message);
            case Verdict.Retry retry -> retry(settle.tenant(), queue, message, retry, now);
            case Verdict.Release() -> release(message, now);
            case Verdict.Reject(String error) -> {
                message.lastError = error;
                yield giveUp(settle.tenant(), queue, message, Reason.REJECTED, now);
            }
        };
        List<SentMessage> sent = putAll(settle.tenant(), settle.sends(), now);
        hintAfter(settle.tenant(), queue, message, now);
        return new Outcome.Settled(fate, sent);
    }

    private static Fate done(QueueState queue, Message message) {
        queue.remove(message.sent.id());
        queue.out++;
        return Fate.DONE;
    }

    private Fate retry(TenantId tenant, QueueState queue, Message message, Verdict.Retry retry, Instant now) {
        message.lastError = retry.error();
        if (queue.isUsedUp(message)) {
            return giveUp(tenant, queue, message, Reason.DELIVERIES_USED_UP, now);
        }
        queue.retried++;
        message.giveBack(Due.in(retry.delay()).fixedAt(now));
        message.expiresAt = message.readyAt.plus(retention(queue));
        return Fate.RETRIED;
    }

    private static Fate release(Message message, Instant now) {
        message.giveBack(now);
        message.deliveries--;
        return Fate.RELEASED;
    }

    /** Dead-letters a message, or drops it where its queue keeps no dead letters. A dead letter stays where it is. */
    Fate giveUp(TenantId tenant, QueueState queue, Message message, Reason reason, Instant now) {
        message.giveBack(now);
        if (queue.name.holdsDeadLetters()) {
            return Fate.DEAD_LETTERED;
        }
        queue.remove(message.sent.id());
        queue.deadLettered++;
        if (!queue.settings.deadLetters()) {
            return Fate.DROPPED;
        }
        message.deadLetter = new DeadLetter(queue.name, reason, now, message.deliveries);
        message.deliveries = 0;
        message.expiresAt = now.plus(queue.settings.deadLetterRetention());
        queue(tenant, queue.name.deadLetters()).add(message);
        tables.hint(new Hint.Ready(tenant, queue.name.deadLetters()));
        return Fate.DEAD_LETTERED;
    }

    /** Settling a head lets the next of its group go; giving a message back may make it ready. */
    private void hintAfter(TenantId tenant, QueueState queue, Message message, Instant now) {
        if (message.sent.group() != null
                || (queue.messages.containsKey(message.sent.id()) && message.isAvailable(now))) {
            tables.hint(new Hint.Ready(tenant, queue.name));
        }
    }

    Outcome redrive(Redrive redrive, Instant now) {
        QueueState deadLetters = tables.queues(redrive.tenant()).get(redrive.deadLetters());
        Message message = deadLetters == null ? null : deadLetters.messages.get(redrive.message());
        if (deadLetters == null || message == null || message.deadLetter == null) {
            return noSuchMessage(redrive.deadLetters(), redrive.message());
        }
        QueueState origin = queue(redrive.tenant(), message.deadLetter.origin());
        deadLetters.remove(redrive.message());
        deadLetters.out++;
        message.earlierDeliveries += message.deadLetter.deliveries();
        message.deadLetter = null;
        message.deliveries = 0;
        message.expiresAt = now.plus(origin.settings.retention());
        message.giveBack(now);
        origin.add(message);
        tables.hint(new Hint.Ready(redrive.tenant(), origin.name));
        return new Outcome.Changed(1);
    }

    Outcome discard(Discard discard) {
        QueueState queue = tables.queues(discard.tenant()).get(discard.queue());
        if (queue == null || !queue.remove(discard.message())) {
            return noSuchMessage(discard.queue(), discard.message());
        }
        queue.out++;
        tables.hint(new Hint.Ready(discard.tenant(), discard.queue()));
        return new Outcome.Changed(1);
    }

    Outcome purge(Purge purge) {
        QueueState queue = tables.queues(purge.tenant()).get(purge.queue());
        if (queue == null) {
            return noSuchQueue(purge.tenant(), purge.queue());
        }
        List<MessageId> gone = queue.messages.values().stream()
                .sorted(QueueState.ORDER)
                .limit(purge.limit())
                .map(message -> message.sent.id())
                .toList();
        gone.forEach(queue::remove);
        queue.out += gone.size();
        tables.hint(new Hint.Ready(purge.tenant(), purge.queue()));
        return new Outcome.Changed(gone.size());
    }

    private static Duration retention(QueueState queue) {
        return queue.name.holdsDeadLetters() ? queue.settings.deadLetterRetention() : queue.settings.retention();
    }

    /** The queue that a message is in. */
    Optional<QueueState> find(TenantId tenant, MessageId message) {
        return tables.queues(tenant).values().stream()
                .filter(queue -> queue.messages.containsKey(message))
                .findFirst();
    }

    private QueueState queue(TenantId tenant, QueueName name) {
        return Objects.requireNonNull(tables.queues(tenant).get(name), "a message's queue outlives the message");
    }

    static Outcome.Refused noSuchQueue(TenantId tenant, QueueName queue) {
        return new Outcome.Refused(Refusal.NO_SUCH_QUEUE, "Tenant %s has no queue \"%s\".".formatted(tenant, queue));
    }

    private static Outcome noSuchMessage(QueueName queue, MessageId message) {
        return new Outcome.Refused(
                Refusal.NO_SUCH_MESSAGE, "Queue \"%s\" has no message %s.".formatted(queue, message));
    }
}
