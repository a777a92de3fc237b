package io.perdure.core.store;

import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;

/**
 * A run that is running, and that something may be wrong with: it has no message, so nobody will ever work on it; or the time of
 * its newest event has passed.
 *
 * @param last its newest event, {@code RunCreated} where nothing was appended; whose time is the deadline, and makes no suspect
 * @param hasMessage whether it has the message that every running run has
 */
public record Suspect(RunId run, Recorded last, boolean hasMessage) {}
