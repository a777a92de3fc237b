package io.perdure.store.sqlite;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.store.sqlite.Transaction.Figure;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What operators do with messages: redrive dead letters, discard, purge. */
final class DeadLetters {
    private static final String REDRIVE = """
            UPDATE message
            SET queue = ?, group_seq = ?, blocked = ?, token = zeroblob(16), ready_at = ?, expires_at = ?,
                earlier_deliveries = earlier_deliveries + dead_deliveries, deliveries = 0,
                dead_origin = NULL, dead_reason = NULL, dead_at = NULL, dead_deliveries = NULL
            WHERE row = ?""";

    private final Transaction transaction;
    private final Session session;
    private final Messages messages;
    private final Groups groups;

    DeadLetters(Transaction transaction, Messages messages) {
        this.transaction = transaction;
        this.session = transaction.session;
        this.messages = messages;
        this.groups = new Groups(session);
    }

    Outcome redrive(Redrive redrive) {
        Optional<StoredMessage> found = find(redrive.tenant(), redrive.deadLetters(), redrive.message())
                .filter(message -> message.deadLetter() != null);
        if (found.isEmpty()) {
            return noSuchMessage(redrive.deadLetters(), redrive.message());
        }
        StoredMessage message = found.get();
        QueueName name = Objects.requireNonNull(message.deadLetter()).origin();
        QueueRow origin = transaction.queues.require(redrive.tenant(), name);
        Instant now = transaction.now();
        long number = groups.join(origin, message.group());
        session.update(
                REDRIVE,
                origin.id(),
                number,
                Groups.isBlocked(number),
                now,
                now.plus(origin.settings().retention()),
                message.row());
        messages.waits(message, origin, now);
        transaction.count(transaction.queues.of(message.queue()), Figure.WENT_OUT, 1);
        transaction.count(origin, Figure.CAME_IN, 1);
        transaction.hint(new Hint.Ready(redrive.tenant(), name));
        return new Outcome.Changed(1);
    }

    Outcome discard(Discard discard) {
        Optional<StoredMessage> found = find(discard.tenant(), discard.queue(), discard.message());
        if (found.isEmpty()) {
            return noSuchMessage(discard.queue(), discard.message());
        }
        messages.remove(found.get());
        transaction.count(transaction.queues.of(found.get().queue()), Figure.WENT_OUT, 1);
        transaction.hint(new Hint.Ready(discard.tenant(), discard.queue()));
        return new Outcome.Changed(1);
    }

    Outcome purge(Purge purge) {
        Optional<QueueRow> queue = transaction.queues.find(purge.tenant(), purge.queue());
        if (queue.isEmpty()) {
            return QueueRows.noSuchQueue(purge.tenant(), purge.queue());
        }
        int gone = new Removals(transaction).first(queue.get(), purge.limit()).size();
        transaction.count(queue.get(), Figure.WENT_OUT, gone);
        transaction.hint(new Hint.Ready(purge.tenant(), purge.queue()));
        return new Outcome.Changed(gone);
    }

    private Optional<StoredMessage> find(TenantId tenant, QueueName queue, MessageId message) {
        return transaction
                .queues
                .find(tenant, queue)
                .flatMap(row -> messages.find(tenant, message).filter(stored -> stored.queue() == row.id()));
    }

    private static Outcome noSuchMessage(QueueName queue, MessageId message) {
        return new Outcome.Refused(
                Refusal.NO_SUCH_MESSAGE, "Queue \"%s\" has no message %s.".formatted(queue, message));
    }
}
