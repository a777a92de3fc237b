package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.SparingLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Starts the threads of turns. They are virtual, and virtual threads share one carrier per core: as many steps as there are cores, each computing
 * without ever waiting, keep every other virtual thread from running. So this watches, on a thread of the operating system, whether turns begin. When one
 * is ready and no virtual thread of a turn has begun for half a second, it begins on a thread of the operating system instead, which shares the cores
 * with the carriers. Its virtual thread finds it begun, whenever it comes to run.
 *
 * <p>Nothing is watched while no turn waits to begin, and a process that is only busy, so that turns begin late but do begin, gets no more threads.
 */
final class TurnThreads implements Runnable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /**
     * The number of looks in a row that see a turn wait and none begin: longer than a busy process keeps all of its turns waiting, far shorter than a lease.
     * Looks are counted, not time, so that a pause of the whole process does not pass for starvation.
     */
    private static final int STARVED_LOOKS = 5;

    private static final Duration LONG = Duration.ofDays(1);

    private final Environment environment;
    private final SparingLog log;
    private final int mostApart;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    /** How many turns run on threads of the operating system now. */
    private final AtomicInteger apart = new AtomicInteger();

    private final Bell bell;
    /** When a virtual thread of a turn began last: it changes as long as they get carriers. */
    private volatile long begunNanos;

    private volatile boolean resting;
    private volatile boolean closed;

    // Only the watching thread touches these.
    private long seenNanos;
    private int quietLooks;

    TurnThreads(Environment environment, SparingLog log, int mostApart) {
        this.environment = environment;
        this.log = log;
        this.mostApart = mostApart;
        this.bell = environment.bell();
        this.begunNanos = environment.nanoTime();
    }

    /** Starts a thread that runs the turn once the gate is open. If this throws, nothing runs it. */
    void start(String name, Gate gate, Runnable turn) {
        Waiting begins = new Waiting(name, gate, turn);
        waiting.add(begins);
        if (resting) {
            bell.ring();
        }
        try {
            environment.start(name, begins);
        } catch (RuntimeException | Error e) {
            if (begins.begin()) {
                throw e;
            }
            // It runs on a thread of the operating system already.
        }
    }

    void close() {
        closed = true;
        bell.ring();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                Uncaught.guarded(this::look);
                if (waiting.isEmpty()) {
                    rest();
                } else {
                    bell.await(LOOK_EVERY);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void rest() throws InterruptedException {
        resting = true;
        // Said before looking once more: a turn that is started from now on rings.
        if (waiting.isEmpty() && !closed) {
            bell.await(LONG);
        }
        resting = false;
    }

    private void look() {
        long begun = begunNanos;
        quietLooks = begun == seenNanos ? quietLooks + 1 : 0;
        seenNanos = begun;
        for (Waiting turn : waiting) {
            if (turn.looksReady() > STARVED_LOOKS && quietLooks >= STARVED_LOOKS && apart.get() < mostApart) {
                startApart(turn);
            }
        }
    }

    private void startApart(Waiting turn) {
        apart.incrementAndGet();
        try {
            environment.startApart(turn.name, () -> {
                try {
                    turn.runIfFirst();
                } finally {
                    apart.decrementAndGet();
                }
            });
        } catch (RuntimeException | Error e) {
            apart.decrementAndGet();
            // There may be memory for another thread the next time. Its virtual thread is there in any case.
            log.log(System.Logger.Level.WARNING, () -> "No thread could be started for a run that waits. " + e);
            return;
        }
        log.log(
                System.Logger.Level.WARNING,
                () ->
                        "Steps that compute keep every carrier of virtual threads busy; runs begin on threads of the operating system until"
                                + " that is over. Give steps that compute an executor: Retry.executor.");
    }

    private final class Waiting implements Runnable {
        final String name;
        private final Gate gate;
        private final Runnable turn;
        private final AtomicBoolean begun = new AtomicBoolean();
        /** How many looks have found it ready. */
        private int looks;

        Waiting(String name, Gate gate, Runnable turn) {
            this.name = name;
            this.gate = gate;
            this.turn = turn;
        }

        /** How many looks have found it ready, this one included; only the watching thread asks. */
        int looksReady() {
            looks += gate.isOpen() ? 1 : 0;
            return looks;
        }

        /** Whether the caller is the first, and runs it. */
        boolean begin() {
            return begun.compareAndSet(false, true) && waiting.remove(this);
        }

        @Override
        public void run() {
            gate.await();
            begunNanos = environment.nanoTime();
            runIfFirst();
        }

        void runIfFirst() {
            if (begin()) {
                turn.run();
            }
        }
    }
}
