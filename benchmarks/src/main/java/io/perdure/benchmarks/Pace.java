package io.perdure.benchmarks;

import java.time.Duration;

/**
 * How thoroughly a figure is measured.
 *
 * @param runs of which the median counts
 * @param warmUp before each
 * @param span that each lasts
 */
record Pace(int runs, Duration warmUp, Duration span) {
    /** Three runs, warmed up for a little more than half of what they last. */
    static Pace of(Duration span) {
        return new Pace(3, span.dividedBy(2).plusSeconds(1), span);
    }
}
