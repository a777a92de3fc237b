package io.perdure.core.workflow;

import io.perdure.core.queue.Dismissal;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Following;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Follows a run of this process's store, which is watched while this is open. A store gives no hint of a plain step, so it is
 * also looked at while somebody waits: five times a second at first, and more seldom the longer nothing happens, down to
 * once a second.
 */
final class LocalFollowing implements Following {
    private static final Duration LOOK_WITHIN = Duration.ofMillis(200);
    private static final Duration LOOK_WITHIN_AT_REST = Duration.ofSeconds(1);

    private final Results results;
    private final Environment environment;
    private final RunId run;
    private final Results.Waiter waiter;
    private long next;
    private boolean over;
    private boolean closed;

    LocalFollowing(Results results, Environment environment, RunId run, long from) {
        this.results = results;
        this.environment = environment;
        this.run = run;
        this.next = from;
        this.waiter = results.join(run);
    }

    @Override
    public List<Recorded> next(Duration atMost) {
        long deadline = environment.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(atMost), Long.MAX_VALUE / 2);
        Duration lookWithin = LOOK_WITHIN;
        Dismissal dismissal = Dismissal.current();
        dismissal.waitAt(waiter.bell);
        while (true) {
            List<Recorded> came = look();
            long left = deadline - environment.nanoTime();
            if (!came.isEmpty() || over || left <= 0 || results.waitsEnded() || dismissal.isDismissed()) {
                return came;
            }
            await(Duration.ofNanos(Math.min(left, lookWithin.toNanos())));
            lookWithin = lookWithin.multipliedBy(2);
            if (lookWithin.compareTo(LOOK_WITHIN_AT_REST) > 0) {
                lookWithin = LOOK_WITHIN_AT_REST;
            }
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }

    private List<Recorded> look() {
        if (over) {
            return List.of();
        }
        List<Recorded> came = results.history(run, next);
        if (came.isEmpty() && results.row(run).status().isTerminal()) {
            // The end came between the two looks, or before the first event that was asked for.
            came = results.history(run, next);
            over = came.isEmpty();
        }
        if (!came.isEmpty()) {
            next = came.getLast().seq() + 1;
            over = isEnd(came.getLast().event());
        }
        return came;
    }

    /** A failure is the end unless the run was redriven, which may be on the next page. */
    private boolean isEnd(Event event) {
        return event instanceof Event.RunCompleted
                || event instanceof Event.RunCancelled
                || (event instanceof Event.RunFailed
                        && results.row(run).status() == RunStatus.FAILED
                        && results.history(run, next).isEmpty());
    }

    private void await(Duration atMost) {
        try {
            waiter.bell.await(atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(
                    ErrorCode.NO_RESULT_YET, "The wait for what happens to run %s was interrupted.".formatted(run), e);
        }
    }

    /** The store is watched no more, unless somebody else needs it. Closing again does nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            results.leave(run, waiter);
        }
    }
}
