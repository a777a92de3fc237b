package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.logging.SparingLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The writing end of a run's history. What a returned step leaves is gathered here and goes into one commit with what follows it:
 * the run's end, a sleep, or nothing, just before the next step. Should the code take its time in between, the worker's
 * {@link Lingering} sends it alone. At most one commit is under way.
 */
final class Journal {
    private final Backend backend;
    private final Environment environment;
    private final SparingLog log;
    private final Held held;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Draft> gathered = new ArrayList<>();
    private long next;
    private Instant latest;
    private boolean mayBeHeld;
    private int sent;
    private Backend.@Nullable Handed underWay;
    /** When the oldest of what is gathered came, nought where nothing is: read without the lock by who looks for late ones. */
    private volatile long gatheredNanos;

    Journal(Backend backend, Environment environment, SparingLog log, Assignment assignment) {
        this.backend = backend;
        this.environment = environment;
        this.log = log;
        this.held = assignment.held();
        this.next = assignment.last() + 1;
        this.latest = assignment.history().getLast().at();
    }

    /** Keeps an event for the next commit. */
    void add(Draft draft) {
        lock.lock();
        try {
            gathered.add(draft);
            if (gatheredNanos == 0) {
                gatheredNanos = nanosOrOne();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The time with which nought is never meant. */
    private long nanosOrOne() {
        long nanos = environment.nanoTime();
        return nanos == 0 ? 1 : nanos;
    }

    /** Commits what is gathered, these, and the release if there is one; waits until it is durable. */
    List<Recorded> commit(List<Draft> drafts, @Nullable Release release) {
        lock.lock();
        try {
            settleBefore(drafts);
            if (gathered.isEmpty() && drafts.isEmpty() && release == null) {
                return List.of();
            }
            int before = gathered.size();
            gathered.addAll(drafts);
            hand(release);
            try {
                return settle();
            } catch (Suspension e) {
                // What is done instead comes after what was gathered, and not after what was refused.
                gathered.subList(Math.min(before, gathered.size()), gathered.size())
                        .clear();
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for what was sent alone. Refused because the history is full, it may pass together with the run's end. */
    private void settleBefore(List<Draft> drafts) {
        try {
            settle();
        } catch (Suspension e) {
            boolean ends = !drafts.isEmpty() && drafts.getLast().event().endsOrParks();
            if (!(e.command() instanceof Command.Park) || !ends) {
                throw e;
            }
        }
    }

    /** Commits what is gathered; waits until it is durable. */
    void commit() {
        commit(List.of(), null);
    }

    /** When the newest durable event happened. */
    Instant latest() {
        return latest;
    }

    /** Whether the newest commit has the time of the one before it, as it has if the store's clock was set back between them. */
    boolean mayBeHeld() {
        return mayBeHeld;
    }

    /** Whether something has been gathered for so long. */
    boolean isLate(long nowNanos, long afterNanos) {
        long since = gatheredNanos;
        return since != 0 && nowNanos - since >= afterNanos;
    }

    boolean isGathering() {
        return gatheredNanos != 0;
    }

    /** Sends what has been gathered for so long, without waiting for it; not where the run's own thread is about to. */
    void sendLate(long nowNanos, long afterNanos) {
        if (isLate(nowNanos, afterNanos) && lock.tryLock()) {
            try {
                if (underWay == null && isLate(nowNanos, afterNanos)) {
                    hand(null);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void hand(@Nullable Release release) {
        sent = gathered.size();
        gatheredNanos = 0;
        Progress progress = new Progress(held, next, gathered, release);
        try {
            underWay = backend.commit(progress);
        } catch (RuntimeException e) {
            // Not handed over: whoever waits for the answer hears why.
            underWay = () -> {
                throw e;
            };
        }
    }

    /** Waits for the commit that is under way. Where it was not applied the run is no longer ours to go on with. */
    private List<Recorded> settle() {
        Backend.Handed handed = underWay;
        if (handed == null) {
            return List.of();
        }
        underWay = null;
        return switch (answer(handed)) {
            case Answer.Kept kept -> {
                gathered.subList(0, sent).clear();
                next += sent;
                if (!kept.events().isEmpty()) {
                    Instant at = kept.events().getLast().at();
                    mayBeHeld = at.equals(latest);
                    latest = at;
                }
                yield kept.events();
            }
            case Answer.Woken() -> throw new Suspension(new Command.LookAgain());
            case Answer.Lost(String why) -> throw new Suspension(new Command.Drop(why));
            case Answer.Refused refused ->
                throw new Suspension(new Command.Park(refused.code().code(), refused.what()));
        };
    }

    /** The code must not see, nor catch, that the store is in trouble: its run is rebuilt from the history. */
    private Answer answer(Backend.Handed handed) {
        try {
            return handed.await();
        } catch (RuntimeException e) {
            log.log(
                    System.Logger.Level.WARNING,
                    () -> "Run " + held.run() + " is dropped and goes on from its history once its lease has ended: "
                            + e.getMessage());
            throw new Suspension(new Command.Drop(String.valueOf(e.getMessage())));
        }
    }

    /** Forgets what is gathered, because the store does not take it. */
    void discard() {
        lock.lock();
        try {
            gathered.clear();
            gatheredNanos = 0;
        } finally {
            lock.unlock();
        }
    }
}
