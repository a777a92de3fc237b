package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Sweep;
import io.perdure.testkit.StoreFactory;

/** Short words for sweeping. */
abstract class SweepFixture extends StoreFixture {
    SweepFixture(StoreFactory factory) {
        super(factory);
    }

    final int sweep(Sweep what) {
        return store.sweep(what, 1_000);
    }

    /** Sweeps one row at a time, and answers how many sweeps found one. */
    final int sweepOneByOne(Sweep what) {
        int removed = 0;
        for (int swept = store.sweep(what, 1); swept > 0; swept = store.sweep(what, 1)) {
            assertThat(swept)
                    .as("rows that a sweep of %s removed, at most 1", what)
                    .isEqualTo(1);
            removed++;
        }
        return removed;
    }
}
