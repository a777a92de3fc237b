package io.perdure.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import org.junit.jupiter.api.Test;

class WeightTest {
    @Test
    void weight_ofAFailedRun_countsTheStackTrace() {
        String trace = "a.B: b\n\tat c.D.e(D.java:1)\n";
        long without = Weight.of(new Event.RunFailed(new Failure("a.B", "b", null)));

        assertThat(Weight.of(new Event.RunFailed(new Failure("a.B", "b", null, trace))))
                .isEqualTo(without + trace.length());
    }
}
