package io.perdure.benchmarks;

import java.util.Collections;
import java.util.List;

/** How long things took that were done one by one: half of them at most p50, 99 of 100 at most p99. In milliseconds. */
record Spread(double p50, double p99) {
    /** Of times in nanoseconds, at least one. */
    static Spread of(List<Long> nanos) {
        Collections.sort(nanos);
        return new Spread(at(nanos, 0.50), at(nanos, 0.99));
    }

    private static double at(List<Long> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * share))) / 1e6;
    }
}
