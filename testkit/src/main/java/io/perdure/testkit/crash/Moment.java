package io.perdure.testkit.crash;

/** Where in a call of the store a process can die. */
public enum Moment {
    /** The commit never reaches the store. */
    BEFORE_COMMIT,
    /** The commit was applied, and nobody heard of it. */
    AFTER_COMMIT,
    BEFORE_CLAIM,
    /** Runs are leased to somebody who does not know. */
    AFTER_CLAIM,
    BEFORE_SNAPSHOTS,
    AFTER_SNAPSHOTS
}
