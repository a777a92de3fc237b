package io.perdure.core.queue;

import io.perdure.core.store.MessageQuery.Cursor;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Discarded;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Redriven;
import io.perdure.sdk.workflow.Match;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** The dead letters of a queue of this process's store: each that is redriven or discarded is a commit of its own. */
final class LocalDeadLetters implements DeadLetters {
    /** Rows of one look: bodies can be long. */
    private static final int LOOK = 500;

    private final Queues queues;
    private final MessageQueue queue;
    private final Browsing browsing;

    LocalDeadLetters(Queues queues, MessageQueue queue) {
        this.queues = queues;
        this.queue = queue;
        this.browsing = new Browsing(queues, queue.name());
    }

    @Override
    public MessageQueue queue() {
        return queue;
    }

    @Override
    public void redrive(MessageId message) {
        queues.checkOpen();
        Outcomes.changed(queues.ledger().commit(redriveOf(message)));
    }

    @Override
    public Redriven redrive(List<MessageId> messages) {
        List<MessageId> missing = missing(messages, this::redriveOf);
        return new Redriven(messages.size() - missing.size(), missing);
    }

    @Override
    public long redriveAll(LongConsumer progress) {
        return redriveAll(_ -> true, progress);
    }

    @Override
    public long redriveAll(Json matching, LongConsumer progress) {
        Match match = Match.containing(matching);
        return redriveAll(match::fits, progress);
    }

    private long redriveAll(Predicate<Json> fits, LongConsumer progress) {
        return eachLook(fits, ids -> redrive(ids).count(), progress);
    }

    @Override
    public long count(Json matching) {
        Match match = Match.containing(matching);
        return eachLook(match::fits, List::size, _ -> {});
    }

    /** Does something with those that were dead letters when it began, some hundreds at a time; answers how many it was done with. */
    private long eachLook(Predicate<Json> fits, ToLongFunction<List<MessageId>> step, LongConsumer progress) {
        queues.checkOpen();
        Instant begun = queues.store().now();
        long done = 0;
        Cursor place = null;
        List<MessageRow> rows;
        do {
            rows = browsing.rows(LOOK, place);
            done += step.applyAsLong(rows.stream()
                    .filter(row -> wasDead(row, begun) && fits.test(row.body()))
                    .map(MessageRow::id)
                    .toList());
            progress.accept(done);
            place = rows.isEmpty() ? null : Browsing.cursor(rows.getLast());
        } while (rows.size() == LOOK);
        return done;
    }

    private static boolean wasDead(MessageRow row, Instant begun) {
        return row.deadLetter() != null && !row.deadLetter().at().isAfter(begun);
    }

    @Override
    public void discard(MessageId message) {
        queues.checkOpen();
        Outcomes.changed(queues.ledger().commit(discardOf(message)));
    }

    @Override
    public Discarded discard(List<MessageId> messages) {
        List<MessageId> missing = missing(messages, this::discardOf);
        return new Discarded(messages.size() - missing.size(), missing);
    }

    private Redrive redriveOf(MessageId message) {
        return new Redrive(queues.tenant(), queue.name(), message);
    }

    private Discard discardOf(MessageId message) {
        return new Discard(queues.tenant(), queue.name(), message);
    }

    /** Makes a commit of each, and answers those that were not there. */
    private List<MessageId> missing(List<MessageId> messages, Function<MessageId, QueueCommit> commit) {
        queues.checkOpen();
        List<Outcome> outcomes =
                queues.ledger().commitAll(messages.stream().map(commit).toList());
        List<MessageId> missing = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            if (outcomes.get(i) instanceof Outcome.Refused(Refusal why, var _) && why == Refusal.NO_SUCH_MESSAGE) {
                missing.add(messages.get(i));
            } else {
                Outcomes.changed(outcomes.get(i));
            }
        }
        return missing;
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
