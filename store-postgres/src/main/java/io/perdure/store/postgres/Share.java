package io.perdure.store.postgres;

/**
 * What a connection of a process is used for. Half of the connections are kept for the engine and half are for callers, so
 * that however many callers read and however slow their reads are, commits and claims find a connection. With two or three connections a half is one:
 * then flushes and claims share it, and so do reads and calls.
 */
enum Share {
    /** Batches of the ledger's lanes, and what an engine says of itself. May use every connection that is free. */
    FLUSHES,

    /** Claims and the histories that they read; leaves at least one of the engine's half to the flushes. */
    CLAIMS,

    /** What callers read; leaves at least one of the callers' half to their other calls. */
    READS,

    /** What callers change beside the ledger, such as receives; leaves at least one of the callers' half to reads. */
    CALLS;

    /** Whether this is the callers' half. */
    boolean isOfCallers() {
        return this == READS || this == CALLS;
    }

    /** The most connections that this share uses at once, of all that a process may have. */
    int most(int connections) {
        return switch (this) {
            case FLUSHES -> connections;
            case CLAIMS -> Math.max(1, connections - ofCallers(connections) - 1);
            case READS, CALLS -> Math.max(1, ofCallers(connections) - 1);
        };
    }

    /** The most connections that callers use at once; the others are kept for the engine. */
    static int ofCallers(int connections) {
        return Math.max(1, connections / 2);
    }
}
