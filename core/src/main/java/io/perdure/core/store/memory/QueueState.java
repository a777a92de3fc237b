package io.perdure.core.store.memory;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.MessageRow.DeadLetter;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueFigures;
import io.perdure.core.store.QueueSettings;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A user's queue, or the dead letters of one, with its messages and its figures. */
final class QueueState {
    /** The order in which messages are looked at: by when they are ready, then by id. */
    static final Comparator<Message> ORDER =
            Comparator.comparing((Message message) -> message.readyAt).thenComparing(message -> message.sent.id());

    final QueueName name;
    final Map<MessageId, Message> messages = new TreeMap<>();

    /** The newest number of each group that has messages. */
    private final Map<GroupKey, Long> groups = new HashMap<>();

    QueueSettings settings;
    long in;
    long out;
    long retried;
    long deadLettered;
    long expired;

    QueueState(QueueName name, QueueSettings settings) {
        this.name = name;
        this.settings = settings;
    }

    void add(Message message) {
        in++;
        message.groupSeq =
                message.sent.group() == null || name.holdsDeadLetters() ? 0 : nextInGroup(message.sent.group());
        messages.put(message.sent.id(), message);
    }

    private long nextInGroup(GroupKey group) {
        return groups.merge(group, 1L, Long::sum);
    }

    /** Takes a message out. A group that has become empty is forgotten: its numbers start again at 1. */
    boolean remove(MessageId id) {
        Message removed = messages.remove(id);
        if (removed != null && removed.groupSeq > 0) {
            GroupKey group = Objects.requireNonNull(removed.sent.group());
            if (messages.values().stream().noneMatch(message -> group.equals(message.sent.group()))) {
                groups.remove(group);
            }
        }
        return removed != null;
    }

    /** The messages that could be received now, in order: available, not expired, and at the head of their group. */
    Stream<Message> deliverable(Instant now) {
        return messages.values().stream()
                .filter(message -> message.isAvailable(now) && !message.isExpired(now) && isHead(message, now))
                .sorted(ORDER);
    }

    /** Whether nothing of its group is before it. What is delayed, leased or retried blocks its group; what expired does not. */
    private boolean isHead(Message message, Instant now) {
        return message.groupSeq == 0
                || messages.values().stream()
                        .filter(other -> !other.isExpired(now))
                        .filter(other -> other.groupSeq > 0 && other.groupSeq < message.groupSeq)
                        .noneMatch(other -> Objects.equals(other.sent.group(), message.sent.group()));
    }

    /** Whether a message was delivered as often as it may be. Dead letters may be delivered for ever. */
    boolean isUsedUp(Message message) {
        return !name.holdsDeadLetters() && message.deliveries >= settings.deliveries();
    }

    QueueFigures figures(Instant now) {
        long leased = messages.values().stream()
                .filter(message -> message.isLeased(now))
                .count();
        long delayed = messages.values().stream()
                .filter(message -> !message.isLeased(now) && !message.isAvailable(now))
                .count();
        Optional<Instant> oldest = messages.values().stream()
                .filter(message -> message.isAvailable(now))
                .map(message -> message.readyAt)
                .min(Comparator.naturalOrder());
        return new QueueFigures(
                messages.size() - leased - delayed,
                delayed,
                leased,
                oldest.orElse(null),
                in,
                out,
                retried,
                deadLettered,
                expired);
    }

    /** A message of a user. */
    static final class Message extends Leasable {
        final NewMessage sent;
        final Instant sentAt;
        Instant expiresAt;
        long groupSeq;
        int deliveries;
        int earlierDeliveries;

        @Nullable
        String lastError;

        @Nullable
        DeadLetter deadLetter;

        Message(NewMessage sent, Instant sentAt, Instant readyAt, Instant expiresAt) {
            super(readyAt);
            this.sent = sent;
            this.sentAt = sentAt;
            this.expiresAt = expiresAt;
        }

        /** A message that is leased does not expire: its receiver may still settle it. */
        boolean isExpired(Instant now) {
            return !isLeased(now) && !expiresAt.isAfter(now);
        }

        MessageRow row(QueueName queue, Instant now) {
            return new MessageRow(
                    sent.id(),
                    queue,
                    sent.body(),
                    sent.headers(),
                    sent.group(),
                    groupSeq,
                    sentAt,
                    readyAt,
                    expiresAt,
                    isLeased(now),
                    deliveries,
                    earlierDeliveries,
                    lastError,
                    deadLetter);
        }
    }
}
