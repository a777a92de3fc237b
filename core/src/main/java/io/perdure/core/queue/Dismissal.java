package io.perdure.core.queue;

import io.perdure.sdk.environment.Bell;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Lets another thread end a receiver's waiting, for good. An interrupt would do so too, but could strike a call of the store. */
final class Dismissal {
    private final BooleanSupplier allDismissed;
    private volatile boolean dismissed;
    private volatile @Nullable Bell waitingAt;

    Dismissal() {
        this(() -> false);
    }

    /** For one who is dismissed together with others as well; whoever does that rings for all of them. */
    Dismissal(BooleanSupplier allDismissed) {
        this.allDismissed = allDismissed;
    }

    /** Ends the wait that is under way, and those to come. A look that is under way still answers what it has leased. */
    void dismiss() {
        dismissed = true;
        Bell bell = waitingAt;
        if (bell != null) {
            bell.ring();
        }
    }

    boolean isDismissed() {
        return dismissed || allDismissed.getAsBoolean();
    }

    /** The receiver waits at this bell from now on, and looks at {@link #isDismissed} each time before it does. */
    void waitAt(Bell bell) {
        waitingAt = bell;
    }
}
