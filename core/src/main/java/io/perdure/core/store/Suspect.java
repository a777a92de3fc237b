package io.perdure.core.store;

import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.logging.Logs;

/**
 * A run that is running, and that something may be wrong with: it has no message, so nobody will ever work on it; or the time of
 * its newest event has passed.
 *
 * @param last its newest event, {@code RunCreated} where nothing was appended; whose time is the deadline, and makes no suspect
 * @param hasMessage whether it has the message that every running run has
 */
public record Suspect(RunId run, Recorded last, boolean hasMessage) {
    private static final System.Logger LOG = Logs.of(Suspect.class);

    /** One whose newest event cannot be read is left out, and keeps no other from being looked at. */
    public static void logUnreadable(RunId run, UnreadableHistoryException why) {
        LOG.log(System.Logger.Level.WARNING, "Run " + run + " was not looked at. " + why.logged());
    }
}
