package io.perdure.sdk.key;

/** What the holder of a key may do. */
public enum Role {
    /** Everything. */
    ADMIN,

    /** Start runs, talk to them, use queues. */
    CLIENT,

    /** Work on runs. */
    WORKER
}
