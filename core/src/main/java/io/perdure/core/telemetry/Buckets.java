package io.perdure.core.telemetry;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;

/** The bounds of the histograms: the same in every process, so that those of several can be added up. */
final class Buckets {
    /** A run may take a moment, and it may take a week. */
    private static final Duration[] RUN = ofMillis(
            10,
            50,
            100,
            500,
            1_000,
            5_000,
            10_000,
            60_000,
            300_000,
            1_800_000,
            3_600_000,
            21_600_000,
            86_400_000,
            604_800_000);

    private static final Duration[] STEP =
            ofMillis(1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 3_600_000);

    private static final Duration[] STORE =
            ofMillis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000);

    private static final double[] COUNTS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000};

    private Buckets() {}

    private static Duration[] ofMillis(long... millis) {
        return Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    static Timer runs(MeterRegistry registry, Timer.Builder timer) {
        return timer.serviceLevelObjectives(RUN).register(registry);
    }

    static Timer steps(MeterRegistry registry, Timer.Builder timer) {
        return timer.serviceLevelObjectives(STEP).register(registry);
    }

    static Timer calls(MeterRegistry registry, Timer.Builder timer) {
        return timer.serviceLevelObjectives(STORE).register(registry);
    }

    static DistributionSummary counts(MeterRegistry registry, DistributionSummary.Builder summary) {
        return summary.serviceLevelObjectives(COUNTS).register(registry);
    }
}
