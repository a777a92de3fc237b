package io.perdure.server.rest;

import io.perdure.core.Perdure;
import io.perdure.core.key.ApiKeys;
import io.perdure.sdk.id.TenantId;
import io.perdure.server.http.Gate;
import io.perdure.server.http.Pages;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import java.time.Duration;
import java.util.function.Function;

/**
 * What operations work with.
 *
 * @param engines the engine of each tenant
 * @param maxBodyBytes largest body of a request
 * @param outcomeWait how long a request that is sent again waits for the first to be answered
 */
public record Site(
        Function<TenantId, Perdure> engines,
        Gate gate,
        ApiKeys keys,
        Waiting waiting,
        UnderWay underWay,
        Pages pages,
        AtOnce atOnce,
        int maxBodyBytes,
        Duration outcomeWait) {
    /** The {@code outcomeWait} of servers, unless a test has another. */
    public static final Duration OUTCOME_WAIT = Once.LONGEST_WAIT;
}
