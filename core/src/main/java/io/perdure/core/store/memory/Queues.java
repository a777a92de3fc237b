package io.perdure.core.store.memory;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.QueueSettings;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules by which queues are made, changed and deleted. A queue and its dead letters come and go together. */
final class Queues {
    private final Tables tables;

    Queues(Tables tables) {
        this.tables = tables;
    }

    Outcome create(Create create) {
        Map<QueueName, QueueState> queues = tables.queues(create.tenant());
        QueueState existing = queues.get(create.queue());
        if (existing == null) {
            both(create.queue()).forEach(name -> queues.put(name, new QueueState(name, create.settings())));
            return new Outcome.Changed(1);
        }
        return existing.settings.equals(create.settings())
                ? new Outcome.Changed(0)
                : new Outcome.Refused(
                        Refusal.QUEUE_DIFFERS,
                        "Queue \"%s\" exists with %s.".formatted(create.queue(), existing.settings));
    }

    Outcome update(Update update) {
        Map<QueueName, QueueState> queues = tables.queues(update.tenant());
        QueueState existing = queues.get(update.queue());
        if (existing == null) {
            return Messages.noSuchQueue(update.tenant(), update.queue());
        }
        if (existing.settings.equals(update.settings())) {
            return new Outcome.Changed(0);
        }
        both(update.queue()).map(queues::get).forEach(queue -> change(queue, update.settings()));
        return new Outcome.Changed(1);
    }

    private static void change(@Nullable QueueState queue, QueueSettings settings) {
        if (queue != null) {
            queue.settings = settings;
        }
    }

    Outcome delete(Delete delete) {
        Map<QueueName, QueueState> queues = tables.queues(delete.tenant());
        if (!queues.containsKey(delete.queue())) {
            return Messages.noSuchQueue(delete.tenant(), delete.queue());
        }
        if (both(delete.queue()).map(queues::get).anyMatch(queue -> queue != null && !queue.messages.isEmpty())) {
            return new Outcome.Refused(
                    Refusal.QUEUE_NOT_EMPTY,
                    "Queue \"%s\" or its dead letters hold messages.".formatted(delete.queue()));
        }
        both(delete.queue()).forEach(queues::remove);
        tables.keys.freeAllOf(delete.tenant(), delete.queue());
        return new Outcome.Changed(1);
    }

    private static Stream<QueueName> both(QueueName queue) {
        return Stream.of(queue, queue.deadLetters());
    }
}
