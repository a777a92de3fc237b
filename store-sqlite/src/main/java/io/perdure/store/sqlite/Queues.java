package io.perdure.store.sqlite;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueSettings;
import java.util.List;
import java.util.Optional;

/** Makes, changes and deletes queues. A queue and its dead letters come and go together. */
final class Queues {
    private static final String INSERT = """
            INSERT INTO queue (tenant, name, visibility_millis, retries, dead_letters, retention_millis,
                               dead_letter_retention_millis, max_delay_millis)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String UPDATE = """
            UPDATE queue
            SET visibility_millis = ?, retries = ?, dead_letters = ?, retention_millis = ?,
                dead_letter_retention_millis = ?, max_delay_millis = ?
            WHERE tenant = ? AND name = ?""";

    private static final String HOLDS_MESSAGES =
            "SELECT EXISTS (SELECT 1 FROM queue q JOIN message m ON m.queue = q.id WHERE q.tenant = ? AND q.name = ?)";

    private final Transaction transaction;
    private final Session session;

    Queues(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    Outcome create(Create create) {
        Optional<QueueRow> existing = transaction.queues.find(create.tenant(), create.queue());
        if (existing.isEmpty()) {
            both(create.queue()).forEach(name -> insert(create.tenant(), name, create.settings()));
            return new Outcome.Changed(1);
        }
        return existing.get().settings().equals(create.settings())
                ? new Outcome.Changed(0)
                : new Outcome.Refused(
                        Refusal.QUEUE_DIFFERS,
                        "Queue \"%s\" exists with %s."
                                .formatted(create.queue(), existing.get().settings()));
    }

    private void insert(TenantId tenant, QueueName name, QueueSettings settings) {
        session.update(
                INSERT,
                tenant.value(),
                name.value(),
                settings.visibility().toMillis(),
                settings.retries(),
                settings.deadLetters(),
                settings.retention().toMillis(),
                settings.deadLetterRetention().toMillis(),
                settings.maxDelay().toMillis());
    }

    Outcome update(Update update) {
        Optional<QueueRow> existing = transaction.queues.find(update.tenant(), update.queue());
        if (existing.isEmpty()) {
            return QueueRows.noSuchQueue(update.tenant(), update.queue());
        }
        QueueSettings settings = update.settings();
        if (existing.get().settings().equals(settings)) {
            return new Outcome.Changed(0);
        }
        for (QueueName name : both(update.queue())) {
            session.update(
                    UPDATE,
                    settings.visibility().toMillis(),
                    settings.retries(),
                    settings.deadLetters(),
                    settings.retention().toMillis(),
                    settings.deadLetterRetention().toMillis(),
                    settings.maxDelay().toMillis(),
                    update.tenant().value(),
                    name.value());
        }
        transaction.queues.forget();
        return new Outcome.Changed(1);
    }

    Outcome delete(Delete delete) {
        String tenant = delete.tenant().value();
        if (transaction.queues.find(delete.tenant(), delete.queue()).isEmpty()) {
            return QueueRows.noSuchQueue(delete.tenant(), delete.queue());
        }
        if (both(delete.queue()).stream().anyMatch(name -> session.number(HOLDS_MESSAGES, tenant, name.value()) == 1)) {
            return new Outcome.Refused(
                    Refusal.QUEUE_NOT_EMPTY,
                    "Queue \"%s\" or its dead letters hold messages.".formatted(delete.queue()));
        }
        for (QueueName name : both(delete.queue())) {
            transaction.queues.find(delete.tenant(), name).ifPresent(this::remove);
        }
        new Keys(transaction).freeAllOf(delete.tenant(), delete.queue());
        transaction.queues.forget();
        return new Outcome.Changed(1);
    }

    private void remove(QueueRow queue) {
        transaction.forgetFigures(queue);
        session.update("DELETE FROM queue_due WHERE queue = ?", queue.id());
        session.update("DELETE FROM queue WHERE id = ?", queue.id());
    }

    private static List<QueueName> both(QueueName queue) {
        return List.of(queue, queue.deadLetters());
    }
}
