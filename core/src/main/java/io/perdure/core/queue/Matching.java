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
 * The looks of one receiver that asks for messages by what is in them. A look reads what could be delivered, page by page, chooses, and
 * leases what it chose, unless others were quicker or it had used up its deliveries and is given up: then it goes on. It examines a
 * bounded number of messages, and the next one goes on where it stopped, in another receive too; after the last message it starts over.
 * Used by one thread.
 */
final class Matching implements Look {
    private static final int PAGE = 100;

    private final Queues queues;
    private final QueueName queue;
    private final Predicate<Json> fits;
    private final int mostExamined = Limits.defaults().queues().examinedMessages();
    private int max = 1;
    private Duration visibility = Limits.defaults().queues().visibilityDefault();

    /** Where the next look begins; at the first message where absent. */
    private @Nullable Cursor place;

    /** Whether something was chosen since the first message, and nothing of it could be leased. */
    private boolean inVain;

    /** Whether the looks began again at the first message because of that. */
    private boolean again;

    Matching(Queues queues, QueueName queue, Json part) {
        this.queues = queues;
        this.queue = queue;
        this.fits = part.matcher();
    }

    /** Asks for up to so many messages from now on, that stay so long with the receiver. Its place is what it was. */
    Look asking(int atMost, Duration length) {
        max = atMost;
        visibility = length;
        return this;
    }

    @Override
    public boolean isHalfway() {
        return place != null;
    }

    @Override
    public Looked look() {
        Cursor begun = place;
        try {
            return lookOn();
        } catch (RuntimeException | Error e) {
            // What was chosen was not leased: the next look must come by again.
            place = begun;
            throw e;
        }
    }

    private Looked lookOn() {
        Set<MessageId> chosen = new LinkedHashSet<>();
        Cursor beforeChosen = place;
        int examined = 0;
        do {
            beforeChosen = chosen.isEmpty() ? place : beforeChosen;
            int ask = Math.min(PAGE, mostExamined - examined);
            List<MessageRow> page = queues.store().messages(new MessageQuery(queues.tenant(), queue, true, place, ask));
            examined += page.size();
            place = page.size() < ask ? null : Browsing.cursor(page.getLast());
            page.stream()
                    .filter(row -> fits.test(row.body()))
                    .map(MessageRow::id)
                    .forEach(chosen::add);
            if (chosen.size() >= max && place != null) {
                Looked looked = lease(chosen, beforeChosen);
                if (!looked.foundNothing()) {
                    return looked;
                }
                chosen.clear();
            }
        } while (place != null && examined < mostExamined);
        return last(chosen, beforeChosen);
    }

    /** Takes what was chosen at the end of a look. Where that is nothing, the store is asked all the same for when to look again. */
    private Looked last(Set<MessageId> chosen, @Nullable Cursor beforeChosen) {
        if (chosen.isEmpty() && place != null) {
            return new Looked(Looked.NOTHING.received(), 0, true);
        }
        Looked looked = lease(chosen, beforeChosen);
        boolean more = looked.foundNothing() && (place != null || startsOver());
        return new Looked(looked.received(), looked.begunNanos(), more);
    }

    /**
     * Whether to begin at the first message at once, all having been seen: where what was chosen was given up, the next of its group can be
     * delivered now, and lies where the looks have been. Not twice in a row, for somebody may hold locked what cannot be leased.
     */
    private boolean startsOver() {
        again = inVain && !again;
        inVain = false;
        return again;
    }

    private Looked lease(Set<MessageId> chosen, @Nullable Cursor beforeChosen) {
        // No message has a fresh id, so that nothing is leased.
        Set<MessageId> only =
                chosen.isEmpty() ? Set.of(queues.environment().ids().messageId()) : chosen;
        // Every request needs a fresh token.
        Lease lease = new Lease(queues.environment().ids().token(), visibility);
        long begun = queues.environment().nanoTime();
        Received received = queues.store().receive(new Receive(queues.tenant(), queue, max, lease, only));
        int leased = received.deliveries().size();
        inVain |= leased == 0 && !chosen.isEmpty();
        if (leased == max) {
            // There may be more of what was chosen, and it comes first.
            place = beforeChosen;
        }
        return new Looked(received, begun, false);
    }
}
