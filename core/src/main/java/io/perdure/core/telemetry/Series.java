package io.perdure.core.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.perdure.sdk.TelemetryLimits;

/**
 * Where the time series of an engine are, and how many there may be: all meters share these labels, so that what is {@code other} in one is so in the others.
 *
 * @param workflows what stands for a workflow in a label
 */
record Series(MeterRegistry registry, TelemetryLimits limits, Labels workflows) {
    Series(MeterRegistry registry, TelemetryLimits limits) {
        this(registry, limits, new Labels(limits.workflows()));
    }
}
