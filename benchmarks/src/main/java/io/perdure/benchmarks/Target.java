package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.core.store.Effort;
import io.perdure.sdk.id.WorkflowName;
import java.util.List;
import java.util.OptionalLong;

/** Stores of one kind to measure, one after the other, and what a user would make by hand in their place. */
sealed interface Target extends AutoCloseable permits SqliteTarget, PostgresTarget {
    /** The URL of a store that nobody has used yet. The one before it is removed. */
    String fresh();

    /** A job table in a fresh store. */
    JobTable jobTable(int connections);

    /** The numbers of connections among which a job table may have its best. */
    List<Integer> poolSizes();

    /**
     * The numbers of lanes among which commits that travel alone may have their best, each in a transaction of its own. A store
     * that puts what several lanes bring into one transaction has one here.
     */
    List<Integer> loneLanes();

    /** The URL of a store that nobody has used yet, with a connection for each of so many lanes and some for the rest. */
    String fresh(int lanes);

    /** What the newest store has done, where that can be told from outside; nothing otherwise. */
    Effort effort();

    /** What was measured, with what the store did for it since that look, where it can be told only now. */
    Measured settled(Measured measured, Effort before);

    /** How many bytes were written so far for the stores of this kind, where that can be told: the difference of two looks. */
    OptionalLong bytesWritten();

    /** Has the time of all runs of a workflow in the newest store be over, once they have ended. Nobody else has it open. */
    void retire(String store, WorkflowName workflow);

    /** Lets the newest store come to rest: what would be tidied up behind everybody's back, after much was written, is done. */
    void rest();

    /** What is measured, and where its files are. */
    String description();

    @Override
    void close();
}
