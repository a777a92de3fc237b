package io.perdure.testkit.simulation;

/** What can go wrong between an actor and the store. Each seed turns on some of them. */
public enum Fault {
    /**
     * A batch was applied, and its answer never came: the actor sends it again. Or messages were leased to a receiver that never
     * got them: they come back when their leases end.
     */
    LOST_ANSWER,
    /** A batch never reached the store: the actor sends it again. */
    LOST_REQUEST,
    /** A copy of a batch arrives long after, perhaps when its sender is gone. */
    LATE_COPY,
    /** An actor dies between two calls and comes back knowing nothing. */
    CRASH,
    /** An actor stands still, perhaps past its lease, and then goes on as if nothing had happened. */
    PAUSE,
    /** The store's clock goes back a little. */
    CLOCK_BACK,
    /** The store's clock jumps by up to an hour, ahead or back. */
    HOUR_JUMP,
    /** Days pass at once, so that retention ends and lanes are forgotten. */
    DAYS_PASS
}
