package io.perdure.sdk;

import java.time.Duration;

/**
 * What an engine does by itself while it works; part of {@link Limits}.
 *
 * @param recoverEvery how often it looks for stuck runs
 * @param recoverRows most runs that it looks at each time, going on where it stopped the time before
 * @param recoverGrace how long a step may overrun its timeout before it is given up from outside
 * @param retireEvery how often it removes ended runs whose retention is over
 * @param retireRows ended runs that it removes in one transaction
 * @param announceEvery how often a worker says that it is alive
 * @param announceKept how long it counts as alive after that
 */
public record UpkeepLimits(
        Duration recoverEvery,
        int recoverRows,
        Duration recoverGrace,
        Duration retireEvery,
        int retireRows,
        Duration announceEvery,
        Duration announceKept) {
    /** Returns these limits with another time between two recoveries. */
    public UpkeepLimits recoverEvery(Duration rest) {
        return new UpkeepLimits(rest, recoverRows, recoverGrace, retireEvery, retireRows, announceEvery, announceKept);
    }

    /** Returns these limits with another time after its timeout at which a step is given up. */
    public UpkeepLimits recoverGrace(Duration grace) {
        return new UpkeepLimits(recoverEvery, recoverRows, grace, retireEvery, retireRows, announceEvery, announceKept);
    }

    /** Returns these limits with another time between two removals of ended runs. */
    public UpkeepLimits retireEvery(Duration rest) {
        return new UpkeepLimits(recoverEvery, recoverRows, recoverGrace, rest, retireRows, announceEvery, announceKept);
    }
}
