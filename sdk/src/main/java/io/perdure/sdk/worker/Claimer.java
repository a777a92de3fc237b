package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks for runs that are due, in bulk, and has them begun. Between two claims it waits for a hint, for the time at which
 * something becomes due by itself or lapsed runs may be taken, or for room. Hints can be lost, so it looks in any case: after 5 s,
 * and half as often each time that nothing comes of it, down to once per length of a lease. No hint tells of a run that another worker starts and
 * leases at once, and that worker may die: so a look must come before such a lease is long over.
 */
final class Claimer implements Runnable {
    private static final System.Logger LOG = Logs.of(Claimer.class);
    private static final Duration LOOK_WITHIN = Duration.ofSeconds(5);
    private static final Duration FARTHEST = Duration.ofDays(1);

    /** While more is known to wait, room is gathered for so long, or until an eighth of it is free: one claim for many runs. */
    private static final Duration GATHER = Duration.ofMillis(5);

    private static final int GATHER_SHARE = 8;

    /** No time at all: nanoseconds of the environment do not come this far. */
    private static final long NOTHING = Long.MAX_VALUE;

    /** After a claim that failed. */
    private static final Duration BREATH = Duration.ofMillis(500);

    private final Backend backend;
    private final Environment environment;
    private final Slots slots;
    private final StoreHealth health;
    private final Reclaims reclaims;
    private final Backend.Listener listener;
    private final Begin begin;
    private final int mostPerClaim;
    private final Duration lookWithinAtRest;
    private final List<Claim.Served> served;
    private final Bell bell;
    private final AtomicLong notedNanos = new AtomicLong(NOTHING);
    private volatile boolean hinted = true;
    private volatile boolean awaitsRoom;
    private volatile boolean backlog;
    private volatile boolean closed;
    private boolean failing;
    private Duration lookWithin = LOOK_WITHIN;

    /** Has a run begun, whose lease was confirmed by a call that began then. */
    interface Begin {
        void begin(Assignment assignment, long confirmedNanos);
    }

    Claimer(Worker.Setup setup, Slots slots, StoreHealth health, Backend.Listener listener, Begin begin) {
        this.backend = setup.backend();
        this.environment = setup.environment();
        this.slots = slots;
        this.health = health;
        this.reclaims = new Reclaims(environment.random());
        this.listener = listener;
        this.begin = begin;
        this.mostPerClaim = setup.limits().calls().claimRuns();
        this.lookWithinAtRest = setup.limits().runs().lease();
        this.served = new ArrayList<>(setup.registry().served());
        this.bell = environment.bell();
    }

    /** Whether runs wait for room. */
    boolean hasBacklog() {
        return backlog || awaitsRoom;
    }

    /** A run has ended here, and so many more can begin. */
    void roomMade(int free) {
        if (awaitsRoom && (free == 1 || free >= enough())) {
            bell.ring();
        }
    }

    /** A run that this worker let go of, or that was started here, becomes due after so long. */
    void dueIn(Duration delay) {
        long nanos = environment.nanoTime() + shorter(delay, FARTHEST).toNanos();
        // Where an earlier one is noted, the claim at that time is told of this one.
        if (notedNanos.getAndUpdate(before -> Math.min(before, nanos)) > nanos) {
            bell.ring();
        }
    }

    void hint() {
        hinted = true;
        bell.ring();
    }

    void close() {
        closed = true;
        bell.ring();
    }

    private int enough() {
        return Math.max(1, slots.all() / GATHER_SHARE);
    }

    @Override
    public void run() {
        try (Backend.Watch _ = watch()) {
            while (!closed) {
                awaitRoom();
                if (!closed) {
                    rest(claim());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Without hints every run would still be found, but late. */
    private Backend.Watch watch() throws InterruptedException {
        while (!closed) {
            try {
                return backend.watch(listener);
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "The store cannot be watched; it is tried again. " + e);
                environment.sleep(BREATH);
            }
        }
        return () -> {};
    }

    private void awaitRoom() throws InterruptedException {
        awaitsRoom = true;
        while (slots.free() == 0 && !closed) {
            bell.await(lookWithinAtRest);
        }
        long deadline = environment.nanoTime() + GATHER.toNanos();
        while (backlog && slots.free() < enough() && !closed) {
            long left = deadline - environment.nanoTime();
            if (left <= 0) {
                break;
            }
            bell.await(Duration.ofNanos(left));
        }
        awaitsRoom = false;
    }

    /** How long to rest before the next claim, unless a hint comes. */
    private Duration claim() throws InterruptedException {
        int room = slots.take(mostPerClaim);
        if (room == 0) {
            return Duration.ZERO;
        }
        boolean wasHinted = hinted;
        hinted = false;
        notedNanos.set(NOTHING);
        long begun = environment.nanoTime();
        Duration spread = reclaims.left(begun);
        boolean mayReclaim = spread == null && health.leaveAlone(begun) == null;
        Claimed claimed;
        try {
            claimed = backend.claim(new Claim(served, room, mayReclaim));
        } catch (RuntimeException | Error e) {
            // Whatever it is, the next claim may do better; without this thread there would be none.
            slots.giveBack(room);
            return failed(e);
        }
        succeeded();
        long done = environment.nanoTime();
        health.claimed(begun, done);
        Collections.rotate(served, 1);
        slots.giveBack(room - claimed.runs().size());
        backlog = claimed.runs().size() == room;
        claimed.runs().forEach(run -> begin(run, begun));
        if (backlog) {
            return Duration.ZERO;
        }
        boolean stirred = wasHinted || !claimed.runs().isEmpty();
        lookWithin = stirred ? LOOK_WITHIN : shorter(lookWithin.multipliedBy(2), lookWithinAtRest);
        // A claim that was to take no lapsed runs, or was held up and took none, heard nothing of them either.
        boolean reclaimed = mayReclaim && done - begun <= StoreHealth.SLOW.toNanos();
        Duration rest = reclaimed ? lookWithin : shorter(again(spread, health.leaveAlone(done)), lookWithin);
        Duration next = claimed.nextIn();
        if (next == null) {
            return rest;
        }
        Duration untilNext = shorter(next, FARTHEST);
        reclaims.dueIn(untilNext, environment.nanoTime());
        return shorter(health.before(untilNext), rest);
    }

    /** When to look again for lapsed runs that were left alone for two reasons, or for one: when both are over. */
    private static Duration again(@Nullable Duration spread, @Nullable Duration unwell) {
        if (spread != null && unwell != null) {
            return spread.compareTo(unwell) >= 0 ? spread : unwell;
        }
        Duration only = spread == null ? unwell : spread;
        return only == null ? StoreHealth.SLACK : only;
    }

    private void begin(Assignment run, long begun) {
        try {
            begin.begin(run, begun);
        } catch (RuntimeException | Error e) {
            slots.giveBack(1);
            LOG.log(
                    System.Logger.Level.ERROR,
                    "Run " + run.held().run() + " could not begin, and goes on once its lease has ended.",
                    e);
        }
    }

    private void succeeded() {
        if (failing) {
            failing = false;
            LOG.log(System.Logger.Level.INFO, "Runs are claimed again.");
        }
    }

    private Duration failed(Throwable e) throws InterruptedException {
        health.claimFailed();
        if (!closed) {
            LOG.log(
                    failing ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    "Runs could not be claimed; it is tried again. " + e);
        }
        failing = true;
        environment.sleep(BREATH);
        return Duration.ZERO;
    }

    /** Waits for a hint, or for the earlier of a time and the times that are noted meanwhile. */
    private void rest(Duration atMost) throws InterruptedException {
        long deadline = environment.nanoTime() + atMost.toNanos();
        while (!closed && !hinted) {
            long left = Math.min(deadline, notedNanos.get()) - environment.nanoTime();
            if (left <= 0) {
                return;
            }
            bell.await(Duration.ofNanos(left));
        }
    }

    private static Duration shorter(Duration left, Duration right) {
        return left.compareTo(right) <= 0 ? left : right;
    }
}
