package io.perdure.sdk.worker;

import org.jspecify.annotations.Nullable;

/**
 * Lets others interrupt a step, and nothing but the step: once it has ended no interrupt of ours can reach the code behind it.
 * One per turn, used by one step after another; {@link Eviction} has another one, for the code as a whole.
 */
final class StepThread {
    private @Nullable Thread inside;
    private boolean interrupted;
    private long attempts;

    /** The calling thread begins an attempt; answers its number, by which it can be told from others. */
    synchronized long begin() {
        inside = Thread.currentThread();
        interrupted = false;
        attempts++;
        return attempts;
    }

    /** The attempt has ended; answers whether it was interrupted by us. */
    synchronized boolean end() {
        inside = null;
        // Ours where the code did not notice, or its own: in neither case is it meant for what comes after the step.
        Thread.interrupted();
        return interrupted;
    }

    /** Interrupts that attempt, if it is the one under way. */
    synchronized void interrupt(long attempt) {
        if (attempt == attempts) {
            interrupt();
        }
    }

    /** Interrupts the step that is under way, if one is. */
    synchronized void interrupt() {
        if (inside != null) {
            interrupted = true;
            inside.interrupt();
        }
    }
}
