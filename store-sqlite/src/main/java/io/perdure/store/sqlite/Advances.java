package io.perdure.store.sqlite;

import io.perdure.core.store.Histories;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.worker.Release;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What the holder of a run's lease commits. */
final class Advances {
    private static final String SIGNAL = "SELECT event FROM signal WHERE tenant = ? AND run = ? AND number = ?";
    private static final String TAKE_SIGNAL = "DELETE FROM signal WHERE tenant = ? AND run = ? AND number = ?";

    private final Transaction transaction;
    private final Session session;
    private final Appender appender;
    private final RunMessages runMessages;
    private final Messages messages;

    Advances(Transaction transaction, Appender appender, RunMessages runMessages, Messages messages) {
        this.transaction = transaction;
        this.session = transaction.session;
        this.appender = appender;
        this.runMessages = runMessages;
        this.messages = messages;
    }

    Outcome advance(Advance advance) {
        Optional<RunFacts> found = RunFacts.read(session, advance.tenant(), advance.run());
        if (found.isEmpty()) {
            return Runs.noSuchRun(advance.tenant(), advance.run());
        }
        RunFacts run = found.get();
        RunFacts.Message message = run.message();
        if (message == null || !advance.token().equals(message.token())) {
            return new Outcome.LeaseLost(run.status());
        }
        if (advance.seq() != run.last() + 1) {
            return new Outcome.Conflict(run.last());
        }
        Optional<Outcome> obstacle =
                obstacle(run, advance).or(() -> messages.obstacle(advance.tenant(), advance.sends()));
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        Appender.Change change = appender.append(run, advance.events());
        takeSignals(run, advance.events());
        List<SentMessage> sent = messages.putAll(advance.tenant(), advance.sends());
        Release release = advance.release();
        if (change.status() != RunStatus.RUNNING) {
            runMessages.leave(run, change);
        } else if (release != null) {
            runMessages.release(
                    run,
                    run.orDeadline(release.ready().fixedAt(transaction.now())),
                    release.wakeOn(),
                    run.last() + advance.events().size());
        } else {
            transaction.held.remember(
                    run.heldBy(advance.token(), advance.events().size()));
        }
        return new Outcome.Appended(change.events(), change.status(), sent);
    }

    /** What stands in the way of a worker that holds its lease and named the right number. */
    private Optional<Outcome> obstacle(RunFacts run, Advance advance) {
        int most = transaction.limits.runs().events();
        boolean full =
                !advance.events().isEmpty() && run.last() + advance.events().size() > most;
        if (full && !Histories.ends(advance.events())) {
            return refused(
                    Refusal.HISTORY_FULL,
                    "Run " + run.id() + " has " + run.last() + " events of at most " + most + ".");
        }
        Set<Long> taken = new HashSet<>();
        for (Draft draft : advance.events()) {
            OptionalLong signal = Histories.signalTaken(draft.event());
            if (signal.isPresent()
                    && !(isWaiting(run, draft.event(), signal.getAsLong()) && taken.add(signal.getAsLong()))) {
                return refused(
                        Refusal.NO_SUCH_SIGNAL,
                        "Run " + run.id() + " has no such signal " + signal.getAsLong() + " in its mailbox.");
            }
        }
        Release release = advance.release();
        return release != null && !release.wakeOn().isEmpty() && release.wakes() != run.wakes()
                ? Optional.of(new Outcome.Woken(run.wakes()))
                : Optional.empty();
    }

    /** Whether the mailbox holds this number, under the name that the event takes it by. */
    private boolean isWaiting(RunFacts run, Event event, long number) {
        return session.first(
                        SIGNAL,
                        row -> new EventName(row.text(1)),
                        run.tenant().value(),
                        run.id().value(),
                        number)
                .filter(name -> Histories.takes(event, name))
                .isPresent();
    }

    private void takeSignals(RunFacts run, List<Draft> drafts) {
        for (Draft draft : drafts) {
            OptionalLong signal = Histories.signalTaken(draft.event());
            if (signal.isPresent()) {
                session.update(TAKE_SIGNAL, run.tenant().value(), run.id().value(), signal.getAsLong());
            }
        }
    }

    private static Optional<Outcome> refused(Refusal why, String detail) {
        return Optional.of(new Outcome.Refused(why, detail));
    }
}
