package io.perdure.store.sqlite;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Histories;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.worker.Release;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Does what most commits of busy workers are, many rows to a statement: starts without keys, and what the holder of a run
 * appends when nothing but its history is concerned, up to letting go for a time or the run's end. Whether such a commit holds
 * is known from {@link HeldRuns}, so nothing is read. Whatever else there is, or might lose, is left to {@link Runs} and
 * {@link Advances}.
 *
 * <p>What is gathered here is written later than its place in the batch. That changes nothing: {@link HeldRuns} is brought up to
 * each commit at once, a run that was let go or ended is no longer there, and whoever does not take this way makes the caller
 * {@link #flush} first.
 */
final class BulkRuns {
    private final Transaction transaction;
    private final EventTexts texts;
    private final @Nullable Outcome[] outcomes;
    private final RunRows rows;
    private final Set<RunId> begun = new HashSet<>();

    /** @param outcomes where the answer to each commit goes, by its place in the batch */
    BulkRuns(Transaction transaction, EventTexts texts, @Nullable Outcome[] outcomes) {
        this.transaction = transaction;
        this.texts = texts;
        this.outcomes = outcomes;
        this.rows = new RunRows(transaction);
    }

    /** Reads the runs that these commits advance and that are held, but not known to be. */
    void expect(List<Commit> commits) {
        List<Advance> unknown = new ArrayList<>();
        for (Commit commit : commits) {
            if (commit instanceof Advance advance
                    && transaction.held.find(advance.tenant(), advance.run()).isEmpty()) {
                unknown.add(advance);
            }
        }
        // A lone one is read where it is applied.
        if (unknown.size() > 1) {
            rows.readHeld(unknown);
        }
    }

    /** Takes a commit, if it is plain and sure to be applied. */
    boolean take(int slot, Commit commit) {
        return switch (commit) {
            case Start start -> isPlain(start) && take(slot, start);
            case Advance advance -> {
                Optional<HeldRun> run = transaction.held.find(advance.tenant(), advance.run());
                yield run.isPresent() && isPlain(run.get(), advance) && take(slot, run.get(), advance);
            }
            default -> false;
        };
    }

    private boolean isPlain(Start start) {
        StartOptions options = start.options();
        return options.idempotencyKey() == null
                && options.workflowId() == null
                && !begun.contains(start.run())
                && transaction.held.find(start.tenant(), start.run()).isEmpty()
                && !transaction.held.isRetiring(transaction.session, start.tenant(), start.run());
    }

    /** It succeeds, or the flush finds out that the run's id is in use. */
    private boolean take(int slot, Start start) {
        Instant now = transaction.now();
        Due until = start.options().deadline();
        Instant deadline = until instanceof Due.Never ? null : until.fixedAt(now);
        long row = transaction.held.nextRow(transaction.session);
        RunRows.Beginning beginning = rows.begin(start, row, deadline);
        begun.add(start.run());
        Lease lease = start.lease();
        if (lease == null) {
            Instant due = start.ready().fixedAt(now);
            rows.wake(beginning, start.run(), deadline != null && deadline.isBefore(due) ? deadline : due);
        } else {
            rows.hand(beginning, start.run(), lease);
            transaction.held.remember(new HeldRun(
                    start.tenant(),
                    start.run(),
                    row,
                    new HeldRun.Traits(
                            start.definition().workflow(),
                            start.definition().version(),
                            start.options().retentionDays(),
                            deadline,
                            start.options().parent() != null),
                    lease.token(),
                    0));
        }
        outcomes[slot] = new Outcome.Started(now, deadline);
        return true;
    }

    private boolean isPlain(HeldRun run, Advance advance) {
        Release release = advance.release();
        List<Draft> events = advance.events();
        return advance.token().equals(run.token())
                && advance.seq() == run.last() + 1
                && !Appender.timeOfNext(transaction, run.row()).isAfter(transaction.now())
                && advance.sends().isEmpty()
                && (release == null || release.wakeOn().isEmpty())
                && run.last() + events.size() <= transaction.limits.runs().events()
                && takesNoSignal(events)
                && (!Histories.ends(events)
                        || (completes(events) && !run.traits().tied()));
    }

    private static boolean takesNoSignal(List<Draft> events) {
        for (Draft draft : events) {
            if (Histories.signalTaken(draft.event()).isPresent()) {
                return false;
            }
        }
        return true;
    }

    private static boolean completes(List<Draft> events) {
        return !events.isEmpty() && events.getLast().event() instanceof Event.RunCompleted;
    }

    private boolean take(int slot, HeldRun run, Advance advance) {
        List<Recorded> appended = append(run, advance.events(), texts.at(slot));
        Release release = advance.release();
        RunStatus status = RunStatus.RUNNING;
        if (completes(advance.events())) {
            status = RunStatus.COMPLETED;
            transaction.held.forget(run.id());
            transaction.hint(new Hint.Ended(run.tenant(), run.id()));
            rows.complete(run);
        } else if (release != null) {
            transaction.held.forget(run.id());
            rows.release(
                    run.after(appended.size()), run.orDeadline(release.ready().fixedAt(transaction.now())));
        } else {
            transaction.held.remember(run.after(appended.size()));
        }
        outcomes[slot] = new Outcome.Appended(appended, status);
        return true;
    }

    private List<Recorded> append(HeldRun run, List<Draft> drafts, List<String> written) {
        Instant now = transaction.now();
        List<Recorded> appended = new ArrayList<>(drafts.size());
        for (int at = 0; at < drafts.size(); at++) {
            Draft draft = drafts.get(at);
            Due until = draft.until();
            Instant fixed = until == null || until instanceof Due.Never ? null : until.fixedAt(now);
            Recorded event = new Recorded(run.last() + 1 + at, now, fixed, draft.event());
            appended.add(event);
            rows.append(run, event, written.get(at));
        }
        return appended;
    }

    /** Writes what waits here. Throws {@link Bulk.Surprise} where a row was not as it had to be. */
    void flush() {
        rows.flush();
        begun.clear();
    }
}
