package io.perdure.server.worker;

import io.perdure.sdk.Limits;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.wire.Hints;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hints for one worker, kept between its polls. Of runs that end only those are told that the worker has in hand as far as is known: with
 * thousands ending each second, the others would be all that it hears of. It has in hand what it claimed, and what it extends.
 */
final class HintBox implements Backend.Listener {
    private static final int MOST_HELD = Limits.defaults().workers().concurrencyMax();

    /** A run that was not extended for so long is in hand no more. */
    private static final long HELD_NANOS = Duration.ofSeconds(15).toNanos();

    private static final Hints NOTHING = new Hints(false, List.of());

    private final WaitingWorkers waiters;
    private final TenantId tenant;
    private final Map<RunId, Long> held = new HashMap<>();
    private final Set<RunId> ended = new LinkedHashSet<>();
    /** Written under the lock; read without it, for under load it is set most of the time. */
    private volatile boolean due = true;

    private long turn;
    private final Map<Long, List<Progress>> given = new HashMap<>();
    /** The answers of a box have numbers from here on, which those of no other box have. */
    private final long first;

    private long answers;
    private WaitingWorkers.@Nullable Wait waiting;
    private long leftNanos;

    HintBox(WaitingWorkers waiters, TenantId tenant) {
        this.waiters = waiters;
        this.tenant = tenant;
        this.leftNanos = waiters.nanoTime();
        this.first = waiters.anyNumber();
        this.answers = first;
    }

    @Override
    public void due() {
        if (!due) {
            setDue();
        }
    }

    private synchronized void setDue() {
        due = true;
        ring();
    }

    @Override
    public synchronized void ended(RunId run) {
        if (held.remove(run) != null && ended.add(run)) {
            ring();
        }
    }

    private void ring() {
        if (waiting != null) {
            waiting.ring();
        }
    }

    /** The worker has these in hand. */
    synchronized void holds(Collection<RunId> runs) {
        long now = waiters.nanoTime();
        held.values().removeIf(since -> now - since > HELD_NANOS);
        for (RunId run : runs) {
            if (held.size() < MOST_HELD) {
                held.put(run, now);
            }
        }
    }

    /**
     * Notes what an answer to a claim brings; answers the answer's number. A large run is left to its lease if the answer does not arrive: the
     * worker may have no memory for it, or no time. Lapsed leases are counted, and after ten of them the run is parked. Given back, it would be
     * sent again for ever.
     */
    synchronized long give(List<Assignment> runs, boolean large) {
        holds(runs.stream().map(run -> run.held().run()).toList());
        answers++;
        given.put(answers, large ? List.of() : runs.stream().map(Claims::letGo).toList());
        return answers;
    }

    /**
     * The worker has received this answer and claims anew. How to let go of what other answers brought, which never arrived: a worker has one claim
     * under way at a time. Where it has them all the same, its commits and these meet, and one of them loses.
     */
    synchronized List<Progress> received(long number) {
        // A worker of several servers may name an answer of another one, and then have ours in hand: its leases decide.
        boolean ours = number == ClaimJson.NONE_RECEIVED || (number > first && number <= answers);
        given.remove(number);
        List<Progress> lost =
                ours ? given.values().stream().flatMap(List::stream).toList() : List.of();
        given.clear();
        return lost;
    }

    /** The worker is about to end the run itself, or to let go of it. */
    synchronized void letsGo(RunId run) {
        held.remove(run);
    }

    /** Waits for hints, at most so long. A poll that finds another one of the same worker waiting takes its place: that one's worker has gone. */
    Hints poll(Duration atMost) throws InterruptedException {
        try (WaitingWorkers.Wait wait = waiters.enter(tenant)) {
            long mine = begin(wait);
            try {
                return poll(wait, mine, waiters.nanoTime() + atMost.toNanos());
            } finally {
                end(mine);
            }
        }
    }

    private Hints poll(WaitingWorkers.Wait wait, long mine, long deadline) throws InterruptedException {
        while (true) {
            // What there is to tell is kept for the next poll if this one's caller is gone.
            Hints hints = wait.isUnheard() ? NOTHING : take(mine);
            long left = deadline - waiters.nanoTime();
            if (hints != null || left <= 0 || wait.isOver()) {
                return hints == null ? NOTHING : hints;
            }
            wait.await(Duration.ofNanos(left));
        }
    }

    private synchronized long begin(WaitingWorkers.Wait wait) {
        ring();
        waiting = wait;
        return ++turn;
    }

    private synchronized void end(long mine) {
        leftNanos = waiters.nanoTime();
        if (mine == turn) {
            waiting = null;
        }
    }

    /** What is there, if anything is; nothing, but at once, for a poll whose place was taken. */
    private synchronized @Nullable Hints take(long mine) {
        if (mine != turn) {
            return NOTHING;
        }
        if (!due && ended.isEmpty()) {
            return null;
        }
        Hints hints = new Hints(due, new ArrayList<>(ended));
        due = false;
        ended.clear();
        return hints;
    }

    /** The worker is gone: whoever waits on its behalf need not any longer. */
    synchronized void dismiss() {
        turn++;
        ring();
    }

    /** Whether nobody has polled for so long. */
    synchronized boolean isForgotten(Duration after) {
        return waiting == null && waiters.nanoTime() - leftNanos > after.toNanos();
    }
}
