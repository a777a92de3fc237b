package io.perdure.sdk;

/**
 * How many time series an engine makes at most, and what it keeps to make them; part of {@link Limits}.
 *
 * @param workflows most workflows that have figures of their own; those that come after are {@code other}
 * @param steps most steps of one workflow that have figures of their own; numbered ones are one
 * @param events most events of one workflow that have figures of their own; numbered ones are one
 * @param queues most queues that have figures of their own, each with its dead letters; the rest are {@code other} and {@code other.dlq}
 * @param remembered most runs that are remembered of late, most that are yet to be looked up, and most spans that are yet to be written
 */
public record TelemetryLimits(int workflows, int steps, int events, int queues, int remembered) {}
