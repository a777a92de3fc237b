package io.perdure.sdk.run;

/** Says what a wait for a result does when the run is parked. */
public enum WhenParked {
    /** The wait stops at once and says why the run is parked: {@code PD-316}. */
    STOP,
    /** The wait goes on until the run was resumed and has ended, or the time is over. */
    WAIT
}
