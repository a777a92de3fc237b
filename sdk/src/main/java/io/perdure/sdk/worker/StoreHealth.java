package io.perdure.sdk.worker;

import io.perdure.sdk.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether lapsed runs may be taken, by how the store answers this worker. A store that stood still made the leases of all workers run out. Those
 * that are alive extend theirs as soon as the store is back, and must keep their leases until they can.
 *
 * <p><b>While the store answers.</b> A worker that is alive has a call to extend in progress, or confirmed, {@link #fresh} after its last one: the time between two
 * extensions and a slack. If the store answered a call of ours within that time, and meets the claim within two seconds, then no worker that is alive holds a lease that
 * has run out by then.
 *
 * <p><b>After a stall.</b> Lapsed runs are left alone until others have had the time to extend. After extensions that came late, or claims that did while there was nothing to extend,
 * that is {@link #fresh}: their calls were waiting too, and were met when ours were. After calls that failed for so long that leases ran out, it is one full lease: others may first have to
 * connect again. The time runs from the first answer, once per stall; further lateness and short failures do not lengthen it while the store answers, so that
 * those which come again and again do not put off a takeover for ever.
 *
 * <p><b>Without leases.</b> A worker that extends nothing would not notice a stall between two of its claims. It takes lapsed runs only once claims were answered for as long as there is
 * between two extensions, and looks in time before a lease ends, so that this takes no longer. One that was just started waits for {@link #SLACK}: it may have
 * been started by the same outage that made the leases of others run out, and those try again several times a second.
 *
 * <p>What only a claim of a busy worker suffers from, such as large histories, says nothing about the leases of others: its own extensions do.
 *
 * <p>Safe for many threads. Times are nanoseconds of the environment.
 */
final class StoreHealth {
    /** How late an extension may be for lapsed runs to be taken all the same. */
    static final Duration SLACK = Duration.ofSeconds(1);

    /** A claim that takes longer than this was held up. It has lost the right to lapsed runs: the store was told so with it. */
    static final Duration SLOW = Duration.ofSeconds(2);

    /** How long before the end of a lease a worker without leases looks: a little longer than it has to be known that the store answers. */
    private static final Duration BEFORE = Duration.ofMillis(500);

    private final Duration settled;
    private final Duration fresh;
    private final Duration lateAfter;
    private final Duration lease;
    /** When the newest extension that was confirmed began, or the newest look that found nothing to extend. */
    private long confirmedNanos;
    /** When the newest call began that shows that the store answers. */
    private long answeredNanos;

    /** Since when calls are answered, with less than {@link #fresh} from the beginning of one to that of the next. */
    private long answeringNanos;

    private long quietUntilNanos;
    private boolean quiet;
    private long extendingNanos;
    private boolean extending;
    private boolean holding;
    private boolean failing;

    StoreHealth(Limits limits, long now) {
        this.settled = limits.workers().extendEvery();
        this.fresh = settled.plus(SLACK);
        this.lateAfter = limits.workers().stepStartsWithin();
        this.lease = limits.runs().lease();
        this.confirmedNanos = now;
        this.answeredNanos = now;
        this.answeringNanos = now - settled.minus(SLACK).toNanos();
    }

    /** How long lapsed runs are to be left alone, or when to look again if that is not known; null if they may be taken. */
    synchronized @Nullable Duration leaveAlone(long now) {
        if (isQuiet(now)) {
            return Duration.ofNanos(quietUntilNanos - now);
        }
        boolean stuck = extending && now - extendingNanos >= fresh.toNanos();
        if (stuck || failing || now - answeredNanos >= fresh.toNanos()) {
            return SLACK;
        }
        Duration left = Duration.ofNanos(answeringNanos + settled.toNanos() - now);
        return holding || !left.isPositive() ? null : left;
    }

    /** When to claim, if a lease may end after this time: in a worker without leases earlier, to hear in time that the store answers. */
    synchronized Duration before(Duration leaseEnds) {
        Duration earlier = leaseEnds.minus(settled).minus(BEFORE);
        return holding || !earlier.isPositive() ? leaseEnds : earlier;
    }

    private boolean isQuiet(long now) {
        quiet = quiet && quietUntilNanos - now > 0;
        return quiet;
    }

    /** Leases are being extended. */
    synchronized void extending(long begun) {
        extending = true;
        extendingNanos = begun;
    }

    /**
     * All leases were extended by calls that began then; returns how long lapsed runs are left alone because they came late, or null.
     *
     * @param any whether there were any; otherwise the store was not asked
     */
    synchronized @Nullable Duration extended(long begun, long done, boolean any) {
        extending = false;
        holding = any;
        boolean late = done - confirmedNanos > lateAfter.toNanos();
        if (!any && failing) {
            // The answer to a claim will tell whether the store is back.
            return null;
        }
        Duration left = late || failing ? leftAlone(late && failing, done) : null;
        failing = false;
        confirmedNanos = begun;
        if (any) {
            answered(begun, done);
        }
        return left;
    }

    private void answered(long begun, long done) {
        if (begun - answeredNanos >= fresh.toNanos()) {
            answeringNanos = done;
        }
        answeredNanos = later(answeredNanos, begun);
    }

    synchronized void extensionFailed() {
        extending = false;
        holding = true;
        failing = true;
    }

    /** A claim was answered that began then. */
    synchronized void claimed(long begun, long done) {
        boolean slow = done - begun > SLOW.toNanos();
        if (!slow) {
            answered(begun, done);
        }
        if (holding) {
            return;
        }
        if (failing) {
            leftAlone(done - confirmedNanos > lateAfter.toNanos(), done);
            failing = false;
            confirmedNanos = begun;
            answeringNanos = done;
        } else if (slow && !isQuiet(done)) {
            leftAlone(false, done);
        }
    }

    /** A claim failed. A worker that holds leases hears from its extensions whether the store is away. */
    synchronized void claimFailed() {
        failing = failing || !holding;
    }

    /** Leaves lapsed runs alone from now on; returns for how long. */
    private Duration leftAlone(boolean wasAway, long now) {
        long until = now + (wasAway ? lease : fresh).toNanos();
        if (!isQuiet(now)) {
            quietUntilNanos = until;
        } else if (wasAway) {
            quietUntilNanos = later(quietUntilNanos, until);
        }
        quiet = true;
        return Duration.ofNanos(quietUntilNanos - now);
    }

    private static long later(long one, long other) {
        return other - one > 0 ? other : one;
    }
}
