package io.perdure.core.store;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Does what is due, once a minute or as often as it is told: removes what has served its time, so that nothing grows without bound, and
 * sees to runs that nobody brings on. It goes in steps of bounded size, each a transaction of its own, and lets others run in between. A store that fails is tried again the next time.
 */
public final class Sweeper implements AutoCloseable {
    private static final System.Logger LOG = Logs.of(Sweeper.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int ROWS = 1_000;

    /** Between two steps at least, so that a writer who waits for the store's lock gets it. */
    private static final Duration BREATH = Duration.ofMillis(10);

    /**
     * It rests so many times as long as a step took: a million rows that go at once must not take a store from those who work. With 4 a
     * file, which has one writer, lost 21 percent of its runs.
     */
    private static final int RESTS = 9;

    /** A step that did at least this part of what it might leaves more to do: a store may stop short where it takes too long. */
    private static final int MUCH = 10;

    /** So does one that took at least this long and did anything. Otherwise runs with long histories would be removed too slowly. */
    private static final Duration LONG = Duration.ofMillis(250);

    private final Environment environment;
    private final Duration every;
    private final int rows;
    private final List<Chore> chores;
    private final Bell bell;
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure;
    private @Nullable Thread thread;

    /** Something that is done again and again. */
    public interface Chore {
        /** Does at most so much of it; answers how much, and is asked again after a rest where that was much of it or took long. */
        int step(int rows);
    }

    /**
     * Does these, in this order.
     *
     * @param every how long it rests in between
     * @param rows how much one step may do
     */
    public Sweeper(Environment environment, Duration every, int rows, List<Chore> chores) {
        this.environment = environment;
        this.every = every;
        this.rows = rows;
        this.chores = List.copyOf(chores);
        this.bell = environment.bell();
    }

    /** Sweeps these kinds of a store, in this order. */
    public Sweeper(Store store, Environment environment, List<Sweep> swept) {
        this(
                environment,
                EVERY,
                ROWS,
                swept.stream()
                        .<Chore>map(what -> most -> store.sweep(what, most))
                        .toList());
    }

    /** Begins to sweep, the first time after about as long as it rests later; on a thread of the operating system. */
    public void start() {
        thread = environment.startApart("perdure-sweeper", this::run);
    }

    /** Begins to sweep on a virtual thread: for one of thousands, as a server has that serves as many tenants, where no steps compute. */
    public void startVirtual() {
        thread = environment.start("perdure-sweeper", this::run);
    }

    /** Why the newest sweep failed; empty where it did not. */
    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    /** Waits for the step that is under way, so that the store can be closed behind it. */
    @Override
    public void close() {
        closed = true;
        bell.ring();
        Thread running = thread;
        if (running != null) {
            try {
                running.join();
            } catch (InterruptedException e) {
                // The caller does not want to wait. A step that meets a closed store does no harm.
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        try {
            Duration rest = untilFirst();
            while (!closed) {
                await(rest);
                if (!closed) {
                    doAll();
                }
                rest = every;
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end.
            Thread.currentThread().interrupt();
        }
    }

    /** Sweeps a step of each kind now: for a process that does not live long enough to do so in time. */
    public void sweepOnce() {
        try {
            for (Chore chore : chores) {
                chore.step(rows);
            }
        } catch (RuntimeException e) {
            failure = e;
            LOG.log(System.Logger.Level.WARNING, "Sweeping failed; the next process to use the store sweeps.", e);
        }
    }

    /** Half as long to half as long again, so that processes that started together do not sweep together. */
    private Duration untilFirst() {
        return every.dividedBy(2).plusNanos(environment.random().nextLong(every.toNanos()));
    }

    /** Waits for so long, or until this is closed: a bell may ring for nothing. */
    private void await(Duration rest) throws InterruptedException {
        long deadline = environment.nanoTime() + rest.toNanos();
        long left = rest.toNanos();
        while (!closed && left > 0) {
            bell.await(Duration.ofNanos(left));
            left = deadline - environment.nanoTime();
        }
    }

    private boolean leavesMore(Chore chore) {
        long begun = environment.nanoTime();
        int done = chore.step(rows);
        return done >= Math.ceilDiv(rows, MUCH) || (done > 0 && environment.nanoTime() - begun >= LONG.toNanos());
    }

    /** All chores take turns, a step each, until none of them has much left: one that never ends must not keep the others waiting. */
    private void doAll() throws InterruptedException {
        RuntimeException last = null;
        List<Chore> left = chores;
        while (!left.isEmpty() && !closed) {
            List<Chore> more = new ArrayList<>();
            long begun = environment.nanoTime();
            for (Chore chore : left) {
                try {
                    if (!closed && leavesMore(chore)) {
                        more.add(chore);
                    }
                } catch (RuntimeException e) {
                    // The next one may do better, and must not wait for this one for good.
                    last = e;
                }
            }
            left = more;
            if (!left.isEmpty()) {
                Duration rest = Duration.ofNanos((environment.nanoTime() - begun) * RESTS);
                await(rest.compareTo(BREATH) > 0 ? rest : BREATH);
            }
        }
        if (last != null && !closed) {
            LOG.log(System.Logger.Level.WARNING, "Sweeping failed and is tried again in " + every + ".", last);
        }
        failure = closed ? failure : last;
    }
}
