package io.perdure.store.sqlite;

import io.perdure.core.store.Effort;
import io.perdure.core.store.Hint;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

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

    private final BlockingQueue<Job<?>> waiting = new LinkedBlockingQueue<>();
    private final Session session;
    private final InstantSource clock;
    private final Limits limits;
    private final QueueRows queues;
    private final Leased leased = new Leased();
    private final Upkeep upkeep;
    private final Hints hints;
    private final Thread thread;
    private long dataVersion = -1;
    private long latest;
    private volatile Effort effort = new Effort(0, 0);
    private volatile boolean closing;
    private volatile boolean ended;

    /** Where hints go, and whether anybody listens. */
    interface Hints extends Consumer<Set<Hint>> {
        boolean wanted();
    }

    Writer(Session session, InstantSource clock, Limits limits, Upkeep upkeep, Hints hints, String name) {
        this.session = session;
        this.clock = clock;
        this.limits = limits;
        this.upkeep = upkeep;
        this.hints = hints;
        this.queues = new QueueRows(session);
        // Not a virtual thread: it sits in native code, and would take its carrier there with it.
        this.thread = Thread.ofPlatform().name(name).daemon().start(this::work);
    }

    /** Has the thread do a piece of work, and waits until that is durable. */
    <T> T write(Job.Work<T> work) {
        Job<T> job = new Job<>(work);
        if (closing) {
            throw closed();
        }
        waiting.add(job);
        if (ended && waiting.remove(job)) {
            throw closed();
        }
        return job.await();
    }

    /** What the thread did so far. */
    Effort effort() {
        return effort;
    }

    private static StoreException closed() {
        return new StoreException(ErrorCode.STORE_CLOSED, "The SQLite store was closed.");
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
        } finally {
            ended = true;
            waiting.drainTo(jobs);
            jobs.forEach(job -> job.fail(closed()));
            session.close();
        }
    }

    /** Waits for work. Answers false when there is none and will be none. While it waits, it looks after the file. */
    private boolean take(List<Job<?>> jobs) {
        while (true) {
            waiting.drainTo(jobs, TOGETHER);
            jobs.remove(NUDGE);
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

    private void idle() {
        if (hints.wanted() && changedElsewhere()) {
            hints.accept(Set.of(new Hint.Anything()));
        }
        upkeep.whenIdle(session);
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
        Transaction transaction = begin(careful);
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
        latest = transaction.latest();
        effort = new Effort(effort.flushes() + 1, session.changes());
        jobs.forEach(Job::succeed);
        hints.accept(transaction.hints());
    }

    private Transaction begin(boolean careful) {
        try {
            session.execute("BEGIN IMMEDIATE");
            boolean changed = changedElsewhere();
            Transaction transaction = new Transaction(session, limits, queues, leased, latest, careful);
            if (changed) {
                transaction.hint(new Hint.Anything());
            }
            return transaction;
        } catch (RuntimeException e) {
            throw spoil(e);
        }
    }

    /** Whether another connection has changed the file since this was last asked. What is remembered of it is forgotten then. */
    private boolean changedElsewhere() {
        long version = session.number("PRAGMA data_version");
        boolean changed = version != dataVersion;
        if (changed) {
            boolean first = dataVersion < 0;
            dataVersion = version;
            queues.forget();
            latest = session.number("SELECT latest FROM clock");
            return !first;
        }
        return false;
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
        queues.forget();
        leased.forget();
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
