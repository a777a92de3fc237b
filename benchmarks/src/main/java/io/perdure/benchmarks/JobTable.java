package io.perdure.benchmarks;

import io.perdure.core.store.Effort;

/** A queue made by hand on Perdure's own tables, with a transaction for each thing that is done. */
interface JobTable extends AutoCloseable {
    /** Sends one message; answers 1. */
    int send() throws Exception;

    /** Receives what there is, if anything, and acknowledges it; answers how many messages that were. */
    int trip() throws Exception;

    /** What it did, where the store does not count it. */
    Effort effort();

    @Override
    void close();
}
