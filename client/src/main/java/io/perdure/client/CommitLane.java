package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RemoteLimits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.CommitJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends commits, one request after another, each with all that was handed over while the one before was under way: under load they come in
 * hundreds, and a lone one goes at once.
 *
 * <p>A request without an answer is sent again with the same commits, which say so; the server then looks whether they were applied before. That
 * goes on for as long as the runs' leases could still be held. After that nobody knows, and the runs are dropped.
 */
final class CommitLane implements Runnable {
    /** How long one request may take. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final Duration IDLE = Duration.ofDays(1);
    private static final Duration BREATH = Duration.ofMillis(50);
    private static final Duration LONGEST_BREATH = Duration.ofSeconds(1);

    /** What a request has around its commits. */
    private static final int FRAME = 1_024;

    private final Agreement agreement;
    private final Environment environment;
    private final RemoteLimits limits;
    private final Yielding yielding;
    private final Queue<OutgoingCommit> gathered = new ConcurrentLinkedQueue<>();
    private final List<OutgoingCommit> unanswered = new ArrayList<>();
    private final Bell bell;
    /** Taken, and too large for the request before. */
    private @Nullable OutgoingCommit carried;

    private volatile boolean closed;
    private Duration breath = BREATH;

    CommitLane(Agreement agreement, Environment environment, RemoteLimits limits) {
        this.agreement = agreement;
        this.environment = environment;
        this.limits = limits;
        this.yielding = new Yielding(environment);
        this.bell = environment.bell();
    }

    void hand(OutgoingCommit commit) {
        gathered.add(commit);
        // The lane may have looked for the last time. What it has taken is its own.
        if (closed && gathered.remove(commit)) {
            commit.fail(new StoreException(ErrorCode.STORE_CLOSED, "The worker is closed."));
        }
        bell.ring();
    }

    /** Sends what is there once more; what cannot be sent then fails. */
    void close() {
        closed = true;
        bell.ring();
    }

    @Override
    public void run() {
        try {
            while (!closed || !gathered.isEmpty() || carried != null) {
                if (gathered.isEmpty() && unanswered.isEmpty() && carried == null) {
                    bell.await(IDLE);
                }
                sendSome();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closed = true;
            unanswered.forEach(commit -> commit.fail(unknown("The worker was closed.")));
            if (carried != null) {
                gathered.add(carried);
            }
            failAll(new StoreException(ErrorCode.STORE_CLOSED, "The worker is closed."));
        }
    }

    private void failAll(PerdureException why) {
        for (OutgoingCommit commit = gathered.poll(); commit != null; commit = gathered.poll()) {
            commit.fail(why);
        }
    }

    private void sendSome() throws InterruptedException {
        giveUpLate();
        List<OutgoingCommit> some = take();
        if (some.isEmpty()) {
            return;
        }
        try {
            Json answer = agreement.post(
                    "/commits",
                    CommitJson.list(
                            "commits", some.stream().map(OutgoingCommit::json).toList()),
                    TIMEOUT);
            settle(some, CommitJson.list(answer, "answers", some.size()));
            breath = BREATH;
            yielding.toThoseAnswered(some.size());
            if (!unanswered.isEmpty()) {
                // One that the store did not take now must not hold up the others for long.
                environment.sleep(BREATH);
            }
        } catch (RuntimeException e) {
            failed(some, e);
            if (!unanswered.isEmpty()) {
                pause();
            }
        }
    }

    /** Those without an answer first, then what came since; at least one. */
    private List<OutgoingCommit> take() {
        List<OutgoingCommit> some = new ArrayList<>();
        long bytes = FRAME;
        Iterator<OutgoingCommit> before = unanswered.iterator();
        while (before.hasNext() && some.size() < limits.requestCommits()) {
            OutgoingCommit next = before.next();
            bytes += next.bytes() + 1;
            if (bytes > limits.requestBytes() && !some.isEmpty()) {
                return some;
            }
            some.add(next);
            before.remove();
        }
        while (some.size() < limits.requestCommits()) {
            OutgoingCommit next = carried == null ? gathered.poll() : carried;
            carried = null;
            if (next == null) {
                return some;
            }
            bytes += next.bytes() + 1;
            if (bytes > limits.requestBytes() && !some.isEmpty()) {
                carried = next;
                return some;
            }
            some.add(next);
        }
        return some;
    }

    private void settle(List<OutgoingCommit> some, List<Json> answers) {
        if (answers.size() != some.size()) {
            throw unknown("The server answered " + answers.size() + " of " + some.size() + " commits.");
        }
        for (int i = 0; i < some.size(); i++) {
            OutgoingCommit commit = some.get(i);
            try {
                commit.answer(CommitJson.answer(answers.get(i), commit.progress()));
            } catch (StoreException e) {
                // The store behind the server is in trouble, and may be out of it soon.
                again(commit);
            } catch (PerdureException e) {
                commit.fail(e);
            }
        }
    }

    private void failed(List<OutgoingCommit> some, RuntimeException e) {
        boolean passes = e instanceof StoreException
                || (e instanceof PerdureException ours
                        && (ours.code() == ErrorCode.TOO_MANY_REQUESTS || ours.code() == ErrorCode.PROTOCOL_MISMATCH));
        for (OutgoingCommit commit : some) {
            if (passes) {
                again(commit);
            } else {
                commit.fail(e instanceof PerdureException why ? why : unknown(String.valueOf(e)));
            }
        }
    }

    private void again(OutgoingCommit commit) {
        commit.sendAgain();
        unanswered.add(commit);
    }

    private void giveUpLate() {
        long now = environment.nanoTime();
        unanswered.removeIf(commit -> {
            boolean late = commit.isTooLate(now);
            if (late) {
                commit.fail(unknown("The server did not answer for as long as the lease lasts."));
            }
            return late;
        });
    }

    private void pause() throws InterruptedException {
        // Workers that lost one server must not come back to it at one moment.
        environment.sleep(breath.plusNanos(environment.random().nextLong(breath.toNanos())));
        breath = breath.multipliedBy(2).compareTo(LONGEST_BREATH) < 0 ? breath.multipliedBy(2) : LONGEST_BREATH;
    }

    private static StoreException unknown(String why) {
        return new StoreException(ErrorCode.OUTCOME_UNKNOWN, why);
    }
}
