package io.perdure.core.store.memory;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
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

    /** Takes a message out that has outlived its retention. */
    void expire(Message message) {
        remove(message.sent.id());
        expired++;
    }

    /** The messages that a receive meets now, in order: available, and at the head of their group. Some of them may have expired. */
    Stream<Message> due(Instant now) {
        return heads().filter(message -> message.isAvailable(now)).sorted(ORDER);
    }

    /** The messages that have nothing of their group before them. What is there blocks its group, whatever it waits for. */
    Stream<Message> heads() {
        return messages.values().stream().filter(this::isHead);
    }

    private boolean isHead(Message message) {
        return message.groupSeq == 0
                || messages.values().stream()
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
                .filter(message -> !message.readyAt.equals(message.sentAt))
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
        Instant firstDelivered;

        @Nullable
        Instant lastDelivered;

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

        /** Counts a delivery. Who looks at dead letters makes no attempt at them. */
        void delivered(boolean asDeadLetter, Instant now) {
            deliveries++;
            if (!asDeadLetter) {
                firstDelivered = firstDelivered == null ? now : firstDelivered;
                lastDelivered = now;
            }
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
                    firstDelivered,
                    lastDelivered,
                    lastError,
                    deadLetter);
        }
    }
}
