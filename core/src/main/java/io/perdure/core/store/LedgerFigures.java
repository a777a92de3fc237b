package io.perdure.core.store;

/**
 * What a ledger has done since it was opened, and what waits in it now.
 *
 * @param commits commits that were answered with an outcome
 * @param batches batches that carried them
 * @param resends batches sent again because the answer was lost or the store was busy
 * @param largestBatch most commits that one batch carried
 * @param waiting commits handed over and not yet answered, now
 * @param waitingBytes their bytes, roughly, now
 * @param failed commits that were answered with an error, unknown ones included
 * @param unknown commits that were answered with {@code PD-201}: nobody knows
 * @param freshLanes lanes opened in place of abandoned ones
 */
public record LedgerFigures(
        long commits,
        long batches,
        long resends,
        long largestBatch,
        long waiting,
        long waitingBytes,
        long failed,
        long unknown,
        long freshLanes) {}
