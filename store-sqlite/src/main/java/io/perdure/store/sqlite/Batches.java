package io.perdure.store.sqlite;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Applies batches: each once, its commits as if one after another. */
final class Batches {
    private final Transaction transaction;
    private final Session session;
    private final Lanes lanes;
    private final Messages messages;
    private final DeadLetters deadLetters;
    private final Queues queues;
    private final Runs runs;
    private final Advances advances;

    Batches(Transaction transaction) {
        this.transaction = transaction;
        session = transaction.session;
        lanes = new Lanes(transaction);
        messages = new Messages(transaction);
        deadLetters = new DeadLetters(transaction, messages);
        queues = new Queues(transaction);
        Appender appender = new Appender(transaction);
        RunMessages runMessages = new RunMessages(transaction);
        runs = new Runs(transaction, appender, runMessages);
        advances = new Advances(transaction, appender, runMessages, messages);
    }

    List<Outcome> commit(Batch batch, EventTexts texts) {
        Optional<List<Outcome>> earlier = lanes.earlierAnswer(batch);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        List<Commit> commits = batch.commits();
        List<Outcome> answers;
        try {
            answers = applyAll(commits, texts);
        } catch (RuntimeException e) {
            // Of what was gathered nothing may have been written.
            transaction.held.forget();
            throw e;
        }
        lanes.remember(batch, answers);
        return answers;
    }

    private List<Outcome> applyAll(List<Commit> commits, EventTexts texts) {
        @Nullable Outcome[] outcomes = new Outcome[commits.size()];
        Bulk bulk = new Bulk(transaction, messages, outcomes);
        BulkRuns bulkRuns = new BulkRuns(transaction, texts, outcomes);
        if (!transaction.isCareful()) {
            bulkRuns.expect(commits);
        }
        for (int slot = 0; slot < outcomes.length; slot++) {
            Commit commit = commits.get(slot);
            if (transaction.isCareful()) {
                outcomes[slot] = applyAlone(commit);
            } else if (!bulk.take(slot, commit) && !bulkRuns.take(slot, commit)) {
                bulk.flush();
                bulkRuns.flush();
                outcomes[slot] = apply(commit);
            }
        }
        bulk.flush();
        bulkRuns.flush();
        return List.of(outcomes);
    }

    /** Applies a commit so that, should it prove impossible, its neighbours are applied all the same. */
    private Outcome applyAlone(Commit commit) {
        Transaction.Mark before = transaction.mark();
        session.execute("SAVEPOINT before_commit");
        try {
            Outcome outcome = apply(commit);
            session.execute("RELEASE before_commit");
            return outcome;
        } catch (RuntimeException e) {
            if (!SqliteErrors.isAboutValues(e)) {
                throw e;
            }
            session.execute("ROLLBACK TO before_commit");
            session.execute("RELEASE before_commit");
            session.forgetFailure();
            transaction.backTo(before);
            return new Outcome.Refused(Refusal.BAD_VALUE, "The store cannot apply it: %s.".formatted(e.getMessage()));
        }
    }

    private Outcome apply(Commit commit) {
        if (commit instanceof RunCommit change && !(change instanceof RunCommit.Signal)) {
            transaction.held.forget(change.run());
        }
        return switch (commit) {
            case RunCommit.Start start -> runs.start(start);
            case RunCommit.Advance advance -> advances.advance(advance);
            case RunCommit.Intervene intervene -> runs.intervene(intervene);
            case RunCommit.Signal signal -> runs.signal(signal);
            case QueueCommit.Send send -> messages.send(send);
            case QueueCommit.Settle settle -> messages.settle(settle);
            case QueueCommit.Redrive redrive -> deadLetters.redrive(redrive);
            case QueueCommit.Discard discard -> deadLetters.discard(discard);
            case QueueCommit.Purge purge -> deadLetters.purge(purge);
            case QueueCommit.Create create -> queues.create(create);
            case QueueCommit.Update update -> queues.update(update);
            case QueueCommit.Delete delete -> queues.delete(delete);
        };
    }
}
