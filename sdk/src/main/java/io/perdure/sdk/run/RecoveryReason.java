package io.perdure.sdk.run;

import java.util.Locale;

/** Why a run did not go on by itself. */
public enum RecoveryReason {
    /** A step has been running for longer than it may: it was given up, and is tried again, or the run has failed. */
    TIMEOUT,
    /** The run began, and nothing was there to have its first step started. */
    STUCK_CREATED,
    /** A step had completed, a sleep or a wait had begun, or the run was put back to work, and nothing was there to have it go on. */
    STUCK_COMPLETED,
    /** A step had failed, and nothing was there to have it tried again. */
    STUCK_FAILED,
    /** Its last step was over, and the event that ends the run was missing. */
    STUCK_TERMINAL;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The reason as it is written: in lower case. */
    public String word() {
        return word;
    }
}
