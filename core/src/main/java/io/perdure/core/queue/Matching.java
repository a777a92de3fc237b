package io.perdure.core.queue;

import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageQuery.Cursor;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The looks of one receive that asks for messages by what is in them. A look reads what could be delivered, page by page, chooses, and
 * leases what it chose, unless others were quicker: then it goes on. It examines a bounded number of messages, and the next one goes on
 * where it stopped; after the last message it starts over. Used by one thread.
 */
final class Matching implements Look {
    private static final int PAGE = 100;

    private final Queues queues;
    private final QueueName queue;
    private final int max;
    private final Duration visibility;
    private final Predicate<Json> fits;
    private final int mostExamined = Limits.defaults().queues().examinedMessages();

    /** Where the next look begins; at the first message where absent. */
    private @Nullable Cursor place;

    Matching(Queues queues, QueueName queue, int max, Duration visibility, Json part) {
        this.queues = queues;
        this.queue = queue;
        this.max = max;
        this.visibility = visibility;
        this.fits = part.matcher();
    }

    @Override
    public Looked look() {
        Set<MessageId> chosen = new LinkedHashSet<>();
        int examined = 0;
        do {
            int ask = Math.min(PAGE, mostExamined - examined);
            List<MessageRow> page = queues.store().messages(new MessageQuery(queues.tenant(), queue, true, place, ask));
            examined += page.size();
            place = page.size() < ask ? null : Browsing.cursor(page.getLast());
            page.stream()
                    .filter(row -> fits.test(row.body()))
                    .map(MessageRow::id)
                    .forEach(chosen::add);
            if (chosen.size() >= max && place != null) {
                Received received = receive(chosen);
                if (!received.deliveries().isEmpty()) {
                    return new Looked(received, false);
                }
                chosen.clear();
            }
        } while (place != null && examined < mostExamined);
        return last(chosen);
    }

    /** Takes what was chosen at the end of a look. Where that is nothing, the store is asked all the same for when to look again. */
    private Looked last(Set<MessageId> chosen) {
        boolean more = place != null;
        if (chosen.isEmpty() && more) {
            return new Looked(new Received(List.of(), null), true);
        }
        // No message has a fresh id, so that nothing is leased.
        Received received =
                receive(chosen.isEmpty() ? Set.of(queues.environment().ids().messageId()) : chosen);
        return new Looked(received, more && received.deliveries().isEmpty());
    }

    private Received receive(Set<MessageId> chosen) {
        // Every request needs a fresh token.
        Lease lease = new Lease(queues.environment().ids().token(), visibility);
        return queues.store().receive(new Receive(queues.tenant(), queue, max, lease, chosen));
    }
}
