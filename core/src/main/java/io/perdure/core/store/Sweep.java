package io.perdure.core.store;

/** What a sweep removes: rows that have served their time by the store's clock, and never any other. */
public enum Sweep {
    /** Messages that outlived their retention and are not leased. */
    EXPIRED_MESSAGES,
    /** Ended runs whose retention is over, with history, mailbox and keys. Never one that is running or parked. */
    RETIRED_RUNS,
    /** Deduplication ids of queues whose window is over. */
    DEDUPLICATION_IDS,
    /** Lanes that fell silent, each counting as one with all it holds, and old batches of the others save the newest. */
    LANE_BATCHES,
    /** Workers that have not said for so long that they are alive that they count as gone. */
    GONE_WORKERS,
    /** Requests that were noted so long ago that nobody sends them again. */
    NOTED_REQUESTS
}
