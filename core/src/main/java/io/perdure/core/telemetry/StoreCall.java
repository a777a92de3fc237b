package io.perdure.core.telemetry;

import java.util.Locale;

/** What a store is asked for, as its latency is told apart. */
enum StoreCall {
    COMMIT,
    CLAIM,
    RECEIVE,
    EXTEND,
    READ,
    LIST,
    WRITE,
    SWEEP;

    /** The value of the label. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
