package io.perdure.store.sqlite;

import io.perdure.core.store.Effort;
import io.perdure.core.store.Hint;
import io.perdure.core.store.rows.Watches;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.logging.Logs;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that changes the file. Whoever wants something changed hands it over and waits; the thread takes all that
 * waits, does it in one transaction, and answers when that is durable. So batches of several lanes, receives and extensions
 * of leases share one flush, and nothing ever waits for a lock that another thread of this process holds.
 *
 * <p>Each piece of work looks before it changes anything. One that throws after it changed something spoils the transaction:
 * it is rolled back, and each piece is done again in one of its own, so that a bad one fails alone.
 */
final class Writer implements AutoCloseable {
    /** So many pieces share a transaction at most; each may be a batch of thousands of commits. */
    private static final int TOGETHER = 256;

    /** No work at all: it only wakes the thread. */
    private static final Job<Boolean> NUDGE = new Job<>(_ -> true);

    private static final System.Logger LOG = Logs.of(Writer.class);

    private final BlockingQueue<Job<?>> waiting = new LinkedBlockingQueue<>();
    private final DatabaseFile file;
    private final Session session;
    private final InstantSource clock;
    private final Limits limits;
    private final Remembered remembered;
    private final Presence presence;
    private final Upkeep upkeep;
    private final Watches hints;
    private final Thread thread;
    private long dataVersion = -1;
    private boolean heardOfOthers;
    private SeenTimes seen = SeenTimes.NONE;
    private volatile Effort effort = new Effort(0, 0);
    private volatile boolean closing;
    private volatile boolean ended;
    private volatile @Nullable Throwable died;

    Writer(DatabaseFile file, Session session, InstantSource clock, Limits limits, Watches hints) {
        this.file = file;
        this.session = session;
        this.presence = new Presence(file.path());
        this.clock = clock;
        this.limits = limits;
        this.upkeep = new Upkeep();
        this.hints = hints;
        this.remembered = new Remembered(new QueueRows(session), new Leased(), new HeldRuns());
        // Not a virtual thread: it sits in native code, and would take its carrier there with it.
        this.thread = Thread.ofPlatform()
                .name("perdure-writer-" + file.path().getFileName())
                .daemon()
                .start(this::work);
    }

    /** Has the thread do a piece of work, and waits until that is durable. */
    <T> T write(Job.Work<T> work) {
        Job<T> job = new Job<>(work);
        requireAlive();
        waiting.add(job);
        if (ended && waiting.remove(job)) {
            throw gone();
        }
        return job.await(this::gone);
    }

    /** Throws {@code PD-203} where this was closed, {@code PD-213} where the thread died. */
    void requireAlive() {
        if (closing || ended) {
            throw gone();
        }
    }

    /** What the thread did so far. */
    Effort effort() {
        return effort;
    }

    private StoreException gone() {
        Throwable why = died;
        return why == null
                ? new StoreException(ErrorCode.STORE_CLOSED, "The SQLite store was closed.")
                : new StoreException(
                        ErrorCode.STORE_FAILED,
                        "The writer of %s died of %s; nothing can be written until the store is opened anew."
                                .formatted(file, why.getClass().getName()),
                        why);
    }

    private void work() {
        List<Job<?>> jobs = new ArrayList<>();
        try {
            while (take(jobs)) {
                together(jobs);
                upkeep.afterCommit(session);
                jobs.clear();
            }
            upkeep.beforeClose(session);
        } catch (Throwable e) {
            died = e;
            // No memory, or a fault of ours, perhaps after the commit. Those who were answered stay answered.
            jobs.forEach(job -> job.fail(new StoreException(
                    ErrorCode.OUTCOME_UNKNOWN, "The writer of the store failed while this was under way.", e)));
            throw e;
        } finally {
            end();
        }
    }

    private void end() {
        ended = true;
        List<Job<?>> left = new ArrayList<>();
        waiting.drainTo(left);
        left.forEach(Job::abandon);
        session.close();
    }

    /** Waits for work. Answers false when there is none and will be none. While it waits, it looks after the file. */
    private boolean take(List<Job<?>> jobs) {
        while (true) {
            waiting.drainTo(jobs, TOGETHER);
            jobs.removeIf(NUDGE::equals);
            if (!jobs.isEmpty()) {
                return true;
            }
            if (closing) {
                return false;
            }
            sleep(jobs);
        }
    }

    private void sleep(List<Job<?>> jobs) {
        try {
            Job<?> first = waiting.poll(upkeep.idleMillis(hints.wanted()), TimeUnit.MILLISECONDS);
            if (first == null) {
                idle();
            } else {
                jobs.add(first);
            }
        } catch (InterruptedException e) {
            // Nobody else knows this thread: whoever interrupts it wants it to end.
            closing = true;
        }
    }

    /** Has the thread look now whether it is to sleep on. */
    void nudge() {
        waiting.add(NUDGE);
    }

    /** Whatever goes wrong here is tried again: nobody waits for it, and the next who does is told by their own work. */
    private void idle() {
        try {
            if (hints.wanted() && changedElsewhere()) {
                tell(Set.of());
            }
            upkeep.whenIdle(session);
        } catch (StoreException e) {
            session.forgetFailure();
            LOG.log(Level.WARNING, "Could not look after the database now: " + e.getMessage());
        }
    }

    /** Gives hints. That others changed something is told until it was. */
    private void tell(Set<Hint> news) {
        if (heardOfOthers) {
            heardOfOthers = false;
            hints.accept(Set.of(new Hint.Anything()));
        }
        hints.accept(news);
    }

    private void together(List<Job<?>> jobs) {
        try {
            transact(jobs, false);
        } catch (Spoiled spoiled) {
            for (Job<?> job : jobs) {
                alone(job);
            }
        }
    }

    private void alone(Job<?> job) {
        try {
            transact(List.of(job), true);
        } catch (Spoiled spoiled) {
            job.fail(spoiled.cause());
        }
    }

    private void transact(List<Job<?>> jobs, boolean careful) {
        Transaction transaction;
        try {
            transaction = begin(careful);
        } catch (Spoiled spoiled) {
            // That says nothing about any of the jobs, and each would only wait for the same lock again.
            jobs.forEach(job -> job.fail(spoiled.cause()));
            return;
        }
        for (Job<?> job : jobs) {
            attempt(job, transaction);
        }
        try {
            transaction.finish();
        } catch (RuntimeException e) {
            throw spoil(e);
        }
        try {
            session.execute("COMMIT");
        } catch (StoreException e) {
            StoreException told = CommitFailures.told(e);
            spoil(e);
            jobs.forEach(job -> job.fail(told));
            return;
        }
        seen = transaction.seen();
        effort = new Effort(effort.flushes() + 1, session.changes());
        jobs.forEach(Job::succeed);
        tell(transaction.hints());
    }

    private Transaction begin(boolean careful) {
        try {
            presence.check();
            session.execute("BEGIN IMMEDIATE");
            changedElsewhere();
            return new Transaction(session, limits, remembered, seen, careful);
        } catch (RuntimeException e) {
            throw spoil(e);
        }
    }

    /** Whether another connection has changed the file, and nobody was told yet. What is remembered of it is forgotten then. */
    private boolean changedElsewhere() {
        long version = session.number("PRAGMA data_version");
        if (version != dataVersion) {
            seen = SeenTimes.read(session);
            remembered.forgetWhatIsTrusted();
            heardOfOthers |= dataVersion >= 0;
            dataVersion = version;
        }
        return heardOfOthers;
    }

    /** Does one piece of work. One that fails before it has changed anything fails alone. */
    private void attempt(Job<?> job, Transaction transaction) {
        long before = session.changes();
        try {
            transaction.begin(clock.instant().truncatedTo(ChronoUnit.MICROS));
            job.run(transaction);
        } catch (PerdureException e) {
            if (session.hasFailed() || session.changes() != before) {
                throw spoil(e);
            }
            job.failLater(e);
        } catch (RuntimeException | Error e) {
            throw spoil(e);
        }
    }

    private Spoiled spoil(Throwable cause) {
        remembered.forget();
        try {
            session.execute("ROLLBACK");
        } catch (StoreException alreadyRolledBack) {
            // SQLite does it on its own after some errors, and then says that there is nothing to roll back.
            cause.addSuppressed(alreadyRolledBack);
        }
        session.forgetFailure();
        return new Spoiled(cause);
    }

    /** The transaction was rolled back: nothing of it happened. */
    private static final class Spoiled extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Spoiled(Throwable cause) {
            super(null, cause, false, false);
        }

        Throwable cause() {
            return Objects.requireNonNull(getCause());
        }
    }

    /** Does what was handed over before, then ends the thread. */
    @Override
    public void close() {
        closing = true;
        nudge();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
