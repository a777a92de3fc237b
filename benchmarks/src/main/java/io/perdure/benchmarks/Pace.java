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
    private static final int LONGEST_BACKLOG = 20_000;
    private static final int WAITING_PER_MILLISECOND = 2;

    /** Three runs, warmed up for a little more than half of what they last. */
    static Pace of(Duration span) {
        return new Pace(3, span.dividedBy(2).plusSeconds(1), span);
    }

    /** Messages that wait when a consumer starts: 20,000 for ten seconds and more, fewer for a span that is shorter. */
    int backlog() {
        return (int) Math.min(LONGEST_BACKLOG, span.toMillis() * WAITING_PER_MILLISECOND);
    }
}
