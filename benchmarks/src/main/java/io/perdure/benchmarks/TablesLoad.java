package io.perdure.benchmarks;

/** The work whose tables are looked at while a transaction is held open. */
interface TablesLoad extends AutoCloseable {
    /** Keeps the work going until the wait is over, then lets it end. */
    void during(Stopwatch.Wait wait);

    /** Returns how many messages, or runs, are done so far. */
    long done();

    @Override
    void close();
}
