package io.perdure.sdk;

import java.time.Duration;

/**
 * How steps are tried unless their policy says otherwise; part of {@link Limits}.
 *
 * @param attempts attempts of a step
 * @param backoffBase first delay between attempts
 * @param backoffMax longest delay between attempts
 * @param backoffJitter share of the delay that is random
 * @param flowTimeout how long an attempt of a StepFlow's step may take
 */
public record StepLimits(
        int attempts, Duration backoffBase, Duration backoffMax, double backoffJitter, Duration flowTimeout) {}
