package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import java.util.concurrent.Semaphore;

/**
 * Bounds what was handed over and is not answered yet, by number and by bytes; whoever brings more waits, first come, first served. What is larger than all of
 * it waits until it is alone. Safe for many threads.
 */
final class Room {
    private final int mostCount;
    private final int mostBytes;
    private final Semaphore counts;
    private final Semaphore bytes;

    Room(int mostCount, int mostBytes) {
        this.mostCount = mostCount;
        this.mostBytes = mostBytes;
        this.counts = new Semaphore(mostCount, true);
        this.bytes = new Semaphore(mostBytes, true);
    }

    /** As much as a ledger has, which is what a caller in the store's own process waits for. */
    static Room asOfLedger() {
        Limits.Ledger limits = Limits.defaults().ledger();
        return new Room(limits.waitingCommits(), limits.waitingBytes());
    }

    /** Takes room, and waits while there is none; {@code PD-603} for who is interrupted meanwhile, whose flag stays set. */
    void enter(int count, int size) {
        try {
            take(counts, Math.min(count, mostCount));
            try {
                take(bytes, Math.min(size, mostBytes));
            } catch (InterruptedException e) {
                counts.release(Math.min(count, mostCount));
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    ErrorCode.SERVER_UNREACHABLE,
                    "What was asked before is not answered yet, and the server was not asked this: the waiter was interrupted.",
                    e);
        }
    }

    /** Who need not wait is let in, interrupted or not. */
    private static void take(Semaphore from, int permits) throws InterruptedException {
        if (from.hasQueuedThreads() || !from.tryAcquire(permits)) {
            from.acquire(permits);
        }
    }

    /** Gives back what was taken so. */
    void leave(int count, int size) {
        counts.release(Math.min(count, mostCount));
        bytes.release(Math.min(size, mostBytes));
    }

    /** How many wait to enter. */
    int queued() {
        return counts.getQueueLength() + bytes.getQueueLength();
    }
}
