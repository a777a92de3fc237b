package io.perdure.sdk.queue;

/** Where a settled message went. */
public enum Fate {
    DONE,
    RETRIED,
    RELEASED,
    DEAD_LETTERED,
    /** Given up where the queue keeps no dead letters. */
    DROPPED
}
