package io.perdure.store.postgres;

import io.perdure.sdk.PerdureException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Lets callers do together what one call can do for several: while one is under way the others gather, and one of them takes
 * all of them along with the next. Nobody waits for more to come, so a lone caller pays nothing.
 */
final class Turns<Q, A> {
    private final int most;
    private final Function<List<Q>, List<A>> call;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Turn<Q>> waiting = new ArrayDeque<>();
    private boolean busy;

    /** Somebody who waits: for its answer, or to be told to make the call. */
    private static final class Turn<Q> {
        final Q question;
        /** Completed with this turn itself where it is to make the call. */
        final CompletableFuture<Object> news = new CompletableFuture<>();

        Turn(Q question) {
            this.question = question;
        }
    }

    /** @param call answers as many questions as it is given, in their order */
    Turns(int most, Function<List<Q>, List<A>> call) {
        this.most = most;
        this.call = call;
    }

    A take(Q question) {
        Turn<Q> turn = new Turn<>(question);
        if (!begin(turn)) {
            Object news = joined(turn);
            if (news != turn) {
                @SuppressWarnings("unchecked") // Whoever made the call put it there.
                A answer = (A) news;
                return answer;
            }
        }
        return lead(turn);
    }

    /** How many gather for the next call. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody is at it. */
    boolean isIdle() {
        lock.lock();
        try {
            return !busy;
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody else is at it; if so this one leads. */
    private boolean begin(Turn<Q> turn) {
        lock.lock();
        try {
            if (busy) {
                waiting.add(turn);
                return false;
            }
            busy = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static Object joined(Turn<?> turn) {
        try {
            return turn.news.join();
        } catch (CompletionException e) {
            throw switch (e.getCause()) {
                case PerdureException shared -> shared.retold(shared.what());
                case RuntimeException shared -> shared;
                case null, default -> e;
            };
        }
    }

    private A lead(Turn<Q> own) {
        List<Turn<Q>> led = new ArrayList<>();
        led.add(own);
        lock.lock();
        try {
            while (led.size() < most && !waiting.isEmpty()) {
                led.add(waiting.remove());
            }
        } finally {
            lock.unlock();
        }
        try {
            List<A> answers = call.apply(led.stream().map(turn -> turn.question).toList());
            for (int at = 1; at < led.size(); at++) {
                led.get(at).news.complete(Objects.requireNonNull(answers.get(at)));
            }
            return answers.getFirst();
        } catch (Throwable e) {
            led.forEach(turn -> turn.news.completeExceptionally(e));
            throw e;
        } finally {
            handOn();
        }
    }

    /** Lets the first of those who wait lead. */
    private void handOn() {
        Turn<Q> next;
        lock.lock();
        try {
            next = waiting.poll();
            busy = next != null;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.news.complete(next);
        }
    }
}
