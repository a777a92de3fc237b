package io.perdure.core.store;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.ProcessId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The front of a store through which everybody writes: it gathers the commits of all callers into few batches, so that one
 * disk flush carries thousands, and answers each caller when its commit is durable. Safe for many threads.
 *
 * <p><b>Natural batching.</b> A lane's thread takes whatever lies there and sends it. It never waits for more. While the
 * store works on one batch the next one gathers by itself, so batches grow with the load and with the time a flush takes, and
 * there is nothing to tune. When the system is idle a commit finds its lane at rest, wakes it and travels alone: it pays
 * for its own flush and for one wake-up, and no time is spent on hoping for company. After a batch of several a lane only lets those
 * run first who can, the callers it just answered: that doubles the next batch ({@link StepAside}).
 *
 * <p><b>Lanes.</b> A lane sends its batches one after another; several lanes let one batch gather while another is written, and
 * use more than one connection of a database. A commit goes by the lane of what it changes (see {@link Addressing}), so what
 * one caller hands over for one run, or for one group of a queue, is applied in that order. Between lanes there is no order.
 * Nor is one needed: whoever depends on another commit waits for its outcome first.
 *
 * <p><b>Threads.</b> A lane is a thread of the operating system, and so is whatever else of an engine callers wait for: as many steps as there are
 * cores, each computing without ever waiting, keep every virtual thread from running, and would keep every start waiting for as long.
 *
 * <p><b>The hand-over.</b> Hundreds of callers meet at each lane, on few cores. A lock there would be a queue of its own. So a
 * commit is handed over by one swap, and the lane takes all that came with one more ({@link Handoff}). The lane is
 * woken only when it rests, and a caller once, when it has its outcome. The object that hangs in the stack is the one that
 * the caller waits at ({@link Pending}).
 *
 * <p><b>Bounds.</b> A batch has a bound in rows and one in bytes, so that no transaction runs for long and no caller waits
 * for much besides its own. At 2,000 rows the flush is already divided by so many that a larger batch would save less
 * than a thousandth of it for each, and the first caller of a batch waits for the last. What does not fit stays, in order, for
 * the next. Over all lanes, what was handed over and not answered is bounded too ({@link Room}): a caller that brings more
 * waits its turn. So a store that is slower than its callers slows them down instead of filling the memory, and the
 * bound is generous enough that every lane has its next batch ready.
 *
 * <p><b>Unknown outcomes.</b> An error from a store seldom proves that nothing happened: the answer may have been lost
 * after the flush. Batches are therefore numbered, and one without an answer is sent again under its number until the store
 * tells what became of it ({@link Courier}). Callers notice only that it took longer. When patience is over they are told
 * {@code PD-201}, the truth, and how to find out; the lane is abandoned, for its last batch may be applied yet, and a fresh
 * one begins at number 1. When the store went back in time they are told {@code PD-202}, and again a fresh lane is opened. An
 * error that does prove that nothing happened goes to the callers as it is, and the lane goes on.
 *
 * <p><b>Silence.</b> A store forgets lanes that say nothing for a day. One thread announces them again four times in that
 * span. It waits with a time limit so that the lanes need not: theirs is the plain park.
 *
 * <p><b>The end.</b> {@link #close} takes nothing more, sends away those who wait for room, brings what was handed over, and
 * returns when the lanes have ended. A commit that is handed over meanwhile is either taken and answered or refused with
 * {@code PD-203}; there is no third way, because the lane ends with the same swap by which it makes sure that nothing lies
 * there. Against a store that does not answer, all that is left has one patience together.
 */
public final class Ledger implements AutoCloseable {
    /** A lane is announced so many times in the span after which the store would forget it. */
    private static final int ANNOUNCEMENTS = 4;

    private final Store store;
    private final Environment environment;
    private final ProcessId process;
    /** The attempt to open the lanes that is in progress. */
    private final AtomicReference<@Nullable CompletableFuture<Boolean>> opening = new AtomicReference<>();

    private final Room room;
    private final LedgerTally tally = new LedgerTally();
    private final List<Lane> lanes;
    private final Bell closing;
    private final Duration announceEvery;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean opened;

    private Ledger(Store store, Environment environment, Limits limits) {
        this.store = store;
        this.environment = environment;
        room = new Room(limits.ledger());
        closing = environment.bell();
        announceEvery = limits.lanes().lanesKept().dividedBy(ANNOUNCEMENTS);
        int count = limits.ledger().lanes();
        process = environment.ids().processId();
        lanes = IntStream.range(0, count)
                .mapToObj(number -> new Courier.Opened(new LaneId(process, number), count))
                .map(opened -> new Courier(store, environment, limits.ledger().patience(), tally, opened))
                .map(courier -> new Lane(courier, room, tally, limits.ledger(), environment))
                .toList();
    }

    /** Starts a thread of the operating system for each lane. The store hears of them with the first commit: who only reads writes nothing. */
    public static Ledger open(Store store, Environment environment, Limits limits) {
        Bounds.ledger(limits.ledger());
        Ledger ledger = new Ledger(store, environment, limits);
        for (Lane lane : ledger.lanes) {
            ledger.threads.add(environment.startApart("perdure-ledger-" + ledger.threads.size(), lane));
        }
        ledger.threads.add(environment.startApart("perdure-ledger-keeper", ledger::keepLanes));
        return ledger;
    }

    /** Hands a commit over and waits until its outcome is durable. Throws as {@link #hand} and {@link Pending#await} do. */
    public Outcome commit(Commit commit) {
        return hand(commit).await();
    }

    /**
     * Hands commits over together and waits for all; outcomes in order. Where some are answered with an error, the first such
     * error is thrown once all are answered. The others stand: commits handed over together are not one commit.
     */
    public List<Outcome> commitAll(List<? extends Commit> commits) {
        List<Pending> handed = new ArrayList<>(commits.size());
        PerdureException refusal = null;
        try {
            commits.forEach(commit -> handed.add(hand(commit)));
        } catch (StoreException e) {
            // Closed in between. Those before it are under way, and whoever asked for them waits for them.
            refusal = e;
        }
        List<Outcome> outcomes = new ArrayList<>(handed.size());
        PerdureException first = null;
        for (Pending pending : handed) {
            try {
                outcomes.add(pending.await());
            } catch (PerdureException e) {
                first = first == null ? e : first;
            }
        }
        throwIfAny(first == null ? refusal : first);
        return List.copyOf(outcomes);
    }

    /**
     * Hands a commit over and goes on; waits only while the ledger is full. Interrupting does not end that wait. Throws
     * {@code PD-203} where the ledger is closed; the commit was not handed over then.
     */
    public Pending hand(Commit commit) {
        return hand(commit, null);
    }

    /**
     * Hands a commit over that may make a run due.
     *
     * @param taker who would have that run; told in any case, unless this throws
     */
    public Pending hand(Commit commit, @Nullable Taker taker) {
        if (!opened) {
            openLanes();
        }
        Pending pending = new Pending(commit, Weight.of(commit), environment.nanoTime(), taker);
        if (!room.enter(pending.bytes())) {
            throw closed(commit);
        }
        if (!lanes.get(Addressing.laneOf(commit, lanes.size())).push(pending)) {
            room.leave(1, pending.bytes());
            throw closed(commit);
        }
        return pending;
    }

    /**
     * Opens the lanes, once. Callers that come while one of them does so wait for it and hear what it hears: if each tried in
     * turn, the last of them would hear of an outage after as many patiences as there are callers. What the store throws passes
     * through to the callers, whose commits were not handed over.
     */
    private void openLanes() {
        CompletableFuture<Boolean> attempt = new CompletableFuture<>();
        CompletableFuture<Boolean> earlier = opening.compareAndExchange(null, attempt);
        if (earlier == null) {
            startOpening(attempt);
        }
        joined(earlier == null ? attempt : earlier);
    }

    /** Not on the caller's thread: a virtual one loses its carrier to computing steps while it waits for the store, and all callers would wait for it. */
    private void startOpening(CompletableFuture<Boolean> attempt) {
        try {
            environment.startApart("perdure-ledger-opening", () -> open(attempt));
        } catch (RuntimeException | Error e) {
            opening.set(null);
            attempt.completeExceptionally(e);
        }
    }

    private void open(CompletableFuture<Boolean> attempt) {
        Throwable failure = null;
        try {
            if (!opened) {
                openPatiently();
                opened = true;
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        // First, so that a caller that hears of a failure and comes again begins an attempt of its own.
        opening.set(null);
        if (failure == null) {
            attempt.complete(true);
        } else {
            attempt.completeExceptionally(failure);
        }
    }

    /** Waits for one patience for a store that is held up, or for a server that restarts. To open a lane twice opens it once. */
    private void openPatiently() {
        Courier courier = lanes.getFirst().courier();
        RetryDelays delays = new RetryDelays(environment);
        long beganNanos = environment.nanoTime();
        while (true) {
            try {
                store.openLanes(process, lanes.size());
                return;
            } catch (PerdureException e) {
                if (!Courier.mayPass(e) || !delays.pause(courier.leftNanos(beganNanos))) {
                    throw e;
                }
            }
        }
    }

    private static void joined(CompletableFuture<Boolean> attempt) {
        try {
            attempt.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error shared) {
                throw shared;
            }
            throw switch (e.getCause()) {
                case PerdureException shared -> shared.retold(shared.what());
                case RuntimeException shared -> shared;
                case null, default -> e;
            };
        }
    }

    /** What was done since the ledger was opened, and what waits now. */
    public LedgerFigures figures() {
        return tally.figures(room);
    }

    /**
     * Says that the ledger is about to be closed: all that it brings from now on has the given time together, and each batch no more than its patience.
     * It still takes commits. A shorter time that an earlier call gave stands.
     */
    public void endWithin(Duration time) {
        lanes.forEach(lane -> lane.courier().endWithin(time));
    }

    /**
     * Takes no more commits, brings what was handed over, and ends the lanes. Later commits are {@code PD-203}. Does not close
     * the store. Closing twice is harmless, and the second returns when the first does.
     */
    @Override
    public void close() {
        room.close();
        closing.ring();
        lanes.forEach(Lane::close);
        boolean interrupted = false;
        for (Thread thread : threads) {
            interrupted |= join(thread);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** How many callers wait for room, for tests that must know when one does. */
    int queued() {
        return room.queued();
    }

    private void keepLanes() {
        while (true) {
            try {
                if (closing.await(announceEvery)) {
                    return;
                }
                if (opened) {
                    announce();
                }
            } catch (InterruptedException _) {
                // Nobody has a reason to; an announcement comes a little later.
            }
        }
    }

    private void announce() {
        Set<ProcessId> announced = new HashSet<>();
        for (Lane lane : lanes) {
            Courier.Opened opened = lane.courier().lane();
            if (opened != null && announced.add(opened.id().process())) {
                try {
                    store.openLanes(opened.id().process(), opened.lanes());
                } catch (RuntimeException _) {
                    // Three more come before the lane is forgotten; and should it be, PD-202 opens another.
                }
            }
        }
    }

    /** Waits for a thread's end; true if the waiter was interrupted meanwhile. */
    private static boolean join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                return interrupted;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
    }

    private static void throwIfAny(@Nullable PerdureException failure) {
        if (failure != null) {
            throw failure;
        }
    }

    private static StoreException closed(Commit commit) {
        return new StoreException(
                ErrorCode.STORE_CLOSED, Addressing.nameOf(commit) + ": the ledger was closed, and did not take it.");
    }
}
