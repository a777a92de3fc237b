package io.perdure.sdk.worker;

import io.perdure.sdk.id.RunId;
import java.util.UUID;

/**
 * A run that a worker holds a lease of.
 *
 * @param token what it proves that with
 */
public record Held(RunId run, UUID token) {}
