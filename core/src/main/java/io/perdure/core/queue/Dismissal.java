package io.perdure.core.queue;

import io.perdure.sdk.environment.Bell;
import org.jspecify.annotations.Nullable;

/** Lets another thread end a receiver's waiting, for good. An interrupt would do so too, but could strike a call of the store. */
final class Dismissal {
    private volatile boolean dismissed;
    private volatile @Nullable Bell waitingAt;

    /** Ends the wait that is under way, and those to come. A look that is under way still answers what it has leased. */
    void dismiss() {
        dismissed = true;
        Bell bell = waitingAt;
        if (bell != null) {
            bell.ring();
        }
    }

    boolean isDismissed() {
        return dismissed;
    }

    /** The receiver waits at this bell from now on, and looks at {@link #isDismissed} each time before it does. */
    void waitAt(Bell bell) {
        waitingAt = bell;
    }
}
